/** The texts of the box that has an assistant call a number. */

/** Plain texts. */
export const texts = {
  title: 'Call a number',
  number: 'Phone number',
  missing: 'Enter a phone number',
  action: 'Call',
  hint: 'On a new installation, +1 … 555 0100 to 0199 reach the built-in test phones. To call other numbers, add a SIP trunk.',
  addTrunk: 'Add a SIP trunk',
};
