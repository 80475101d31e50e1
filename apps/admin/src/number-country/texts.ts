/** The texts of the field for the country of national numbers. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  label: 'Country of numbers without + or 00',
  hint: 'A setting of your account. It also applies to the API.',
  none: 'None: every number needs + or 00',
};
