/** Reads phone numbers as the users of an account write them. */
import { errorText } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';
import { hasInternationalPrefix, normalisePhoneNumber } from '../shared/phone-number.ts';

/** SQL, because leads and calls are created with it. */
const selectDefaultCountry = statement<{ defaultCountry: string | null }>(
  'default_country',
  `select default_country from users where id = $1`,
);

/** @returns the country of numbers without `+`, two letters; null where the account has none */
export async function accountCountry(tx: Pick<Tx, 'query'>, userId: number): Promise<string | null> {
  const [user] = await tx.query(selectDefaultCountry, [userId]);
  return user?.defaultCountry ?? null;
}

/**
 * Reads numbers into E.164. The account's country is only looked up when it can change the result, so that
 * the usual number costs no query.
 *
 * @returns in the same order; null for an impossible number
 */
export async function readAccountNumbers(
  tx: Tx,
  userId: number,
  texts: readonly string[],
): Promise<(string | null)[]> {
  const numbers = texts.map((text) => normalisePhoneNumber(text));
  if (!numbers.includes(null) && !texts.some(hasInternationalPrefix)) return numbers;
  const country = await accountCountry(tx, userId);
  return country === null ? numbers : texts.map((text) => normalisePhoneNumber(text, country));
}

/**
 * Reads the number of a request into E.164.
 *
 * @throws DomainError `invalid` for an impossible number
 */
export async function requireAccountNumber(tx: Tx, userId: number, text: string): Promise<string> {
  const [number = null] = await readAccountNumbers(tx, userId, [text]);
  if (number !== null) return number;
  const fields = { phone_number: ['Invalid phone number'] };
  throw new DomainError('invalid', errorText.invalidData, { fields });
}
