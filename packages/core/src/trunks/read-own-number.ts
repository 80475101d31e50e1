/** Reads a number that a user enters as their own. */
import { errorText } from '@parley/contracts';
import { User, type Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';
import { normalisePhoneNumber } from '../shared/phone-number.ts';

/**
 * @param about - `country`: of a number without `+`; without one that of the user
 * @returns E.164
 * @throws DomainError `invalid` at the field for an impossible number
 */
export async function readOwnNumber(
  tx: Tx,
  about: { userId: number; field: string; text: string; country?: string | null },
): Promise<string> {
  const user = await tx.em.findOne(User, { id: about.userId });
  const number = normalisePhoneNumber(about.text, about.country ?? user?.defaultCountry ?? null);
  if (number !== null) return number;
  throw new DomainError('invalid', errorText.invalidData, {
    fields: { [about.field]: ['Invalid phone number'] },
  });
}
