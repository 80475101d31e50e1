/** The texts of charts. */

/** Plain texts. */
export const texts = {
  none: '–',
  period: 'Whole period',
};
