/** Reads a number that a user enters as their own. */
import { errorText } from '@parley/contracts';
import { User, type Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';
import { normalisePhoneNumber } from '../shared/phone-number.ts';

/**
 * @returns E.164
 * @throws DomainError `invalid` at the field for an impossible number
 */
export async function readOwnNumber(
  tx: Tx,
  about: { userId: number; field: string; text: string },
): Promise<string> {
  const user = await tx.em.findOne(User, { id: about.userId });
  const number = normalisePhoneNumber(about.text, user?.defaultCountry ?? null);
  if (number !== null) return number;
  throw new DomainError('invalid', errorText.invalidData, {
    fields: { [about.field]: ['Invalid phone number'] },
  });
}
