/**
 * A campaign's limit may not exceed its account's. When the account's limit is lowered later, every dial still respects it.
 */
import { errorText, fieldFault, wording, type CampaignChanges } from '@parley/contracts';
import { User, type Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';

/** @throws DomainError `invalid` */
export async function checkAccountLimit(tx: Tx, userId: number, input: CampaignChanges): Promise<void> {
  const wanted = input.max_calls_in_parallel;
  if (wanted === undefined) return;
  const account = await tx.em.findOne(User, { id: userId });
  if (!account || wanted <= account.maxCalls) return;
  const fields = fieldFault('max_calls_in_parallel', wording.between(1, account.maxCalls));
  throw new DomainError('invalid', errorText.validationFailed, { fields });
}
