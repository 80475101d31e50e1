/** Which user parts of SIP URIs name a phone number, and which an account or an extension. */

/** An extension is shorter; a subscriber number with its area code is not. */
const MIN_NUMBER_DIGITS = 7;
const NUMBER = /^\+?\d+$/;

/** @param account - the user part of our Contact, which proxies write into the Request-URI instead of what was called */
export function namesNumber(user: string, account: string): boolean {
  if (user === account || !NUMBER.test(user)) return false;
  return user.replace('+', '').length >= MIN_NUMBER_DIGITS;
}
