/** Which user parts of a Refer-To name an extension of a PBX. */

/**
 * Three to five digits. Left out is what public networks may understand as a service: a first digit of 0 or 9 (the prefixes
 * of outside lines, 911, 999), three digits that begin with 1 (112, 144), and 11 at the beginning (118 directory services).
 */
const EXTENSION = /^(?:[2-8]\d{2}|(?!11)[1-8]\d{3,4})$/;

/** @param user - as the far end has written it */
export function isExtension(user: string): boolean {
  return EXTENSION.test(user);
}
