/** Reads a number that somebody claims as their own. */
import { errorText } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';
import { normalisePhoneNumber } from '../shared/phone-number.ts';

const selectCountry = statement<{ defaultCountry: string | null }>(
  'own_number_country',
  `select default_country from users where id = $1`,
);

/**
 * @returns E.164
 * @throws DomainError `invalid` at the field, when no such number is possible
 */
export async function readOwnNumber(
  tx: Tx,
  about: { userId: number; field: string; text: string },
): Promise<string> {
  const [user] = await tx.query(selectCountry, [about.userId]);
  const number = normalisePhoneNumber(about.text, user?.defaultCountry ?? null);
  if (number !== null) return number;
  throw new DomainError('invalid', errorText.invalidData, {
    fields: { [about.field]: ['Invalid phone number'] },
  });
}
