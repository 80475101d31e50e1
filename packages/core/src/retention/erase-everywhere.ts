/**
 * Erases a person from all accounts of the installation, for an operator. Each account is erased as it would erase the
 * person itself, and keeps its own entry of the do-not-call list. Nothing begins while a call with the person is not over in
 * any account. A request that was interrupted is repeated.
 *
 * SQL, because the accounts are searched for the number.
 */
import type { ErasedPerson } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { requireAccountNumber } from '../users/account-number.ts';
import { requireOperator } from '../users/require-operator.ts';
import { erasePerson, PERSON_BUSY, type Erasure } from './erase-person.ts';

const findBusyAnywhere = statement<{ isBusy: boolean }>(
  'find_unfinished_calls_of_number_anywhere',
  `select exists (select 1 from live_calls where client_phone_number = $1)
     or exists (select 1 from calls where client_phone_number = $1
       and status not in ('completed', 'busy', 'no-answer', 'failed')) as is_busy`,
);
const selectAccounts = statement<{ id: number; role: Identity['role']; timezone: string }>(
  'accounts_to_erase_person_from',
  'select id, role, timezone from users order by id',
);

/**
 * @param onErased - an account from which something was removed, before the next one is searched: after an interruption a
 *   repetition finds nothing there
 * @returns sums over all accounts, without the number
 * @throws DomainError `forbidden` for members; `invalid` for an impossible number; `conflict` while a call with the number
 *   is not over
 */
export async function erasePersonEverywhere(
  ctx: CoreContext,
  identity: Identity,
  { phoneNumber: text, removesFromDoNotCallList }: Erasure,
  onErased: (accountId: number) => Promise<void>,
): Promise<ErasedPerson> {
  requireOperator(identity);
  const phoneNumber = await requireAccountNumber(ctx.db, identity.userId, text);
  const [found] = await ctx.db.query(findBusyAnywhere, [phoneNumber]);
  if (found?.isBusy) throw new DomainError('conflict', PERSON_BUSY);
  const accounts = await ctx.db.query(selectAccounts);
  const results: ErasedPerson[] = [];
  for (const { id, role, timezone } of accounts) {
    const account: Identity = { userId: id, role, timezone, tokenId: null, scopes: 'all' };
    const erased = await erasePerson(ctx, account, { phoneNumber, removesFromDoNotCallList });
    if (erased.accounts > 0) await onErased(id);
    results.push(erased);
  }
  return sumOf(results);
}

function sumOf(all: readonly ErasedPerson[]): ErasedPerson {
  const sum = (field: Exclude<keyof ErasedPerson, 'is_on_do_not_call_list'>): number =>
    all.reduce((total, erased) => total + erased[field], 0);
  return {
    accounts: sum('accounts'),
    calls: sum('calls'),
    recordings: sum('recordings'),
    webhook_deliveries: sum('webhook_deliveries'),
    leads: sum('leads'),
    conversations: sum('conversations'),
    attempts: sum('attempts'),
    consents: sum('consents'),
    stored_answers: sum('stored_answers'),
    import_errors: sum('import_errors'),
    jobs: sum('jobs'),
    is_on_do_not_call_list: all.some(({ is_on_do_not_call_list: isListed }) => isListed),
  };
}
