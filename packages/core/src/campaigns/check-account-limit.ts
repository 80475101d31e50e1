/** A campaign's own limit may not be above its account's. One that is lowered later holds all the same, in every dial. */
import { errorText, fieldFault, wording, type CampaignChanges } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';

const selectLimit = statement<{ maxCalls: number }>(
  'account_call_limit',
  `select max_calls from users where id = $1`,
);

/** @throws DomainError `invalid` */
export async function checkAccountLimit(tx: Tx, userId: number, input: CampaignChanges): Promise<void> {
  const wanted = input.max_calls_in_parallel;
  if (wanted === undefined) return;
  const [account] = await tx.query(selectLimit, [userId]);
  if (!account || wanted <= account.maxCalls) return;
  const fields = fieldFault('max_calls_in_parallel', wording.between(1, account.maxCalls));
  throw new DomainError('invalid', errorText.validationFailed, { fields });
}
