/**
 * Phone numbers: list, add, remove. Members add numbers on their own trunks; on a shared trunk only an operator hands
 * numbers out, because whoever has a number gets its calls.
 */
import { errorText, fieldFault, wording, type NewNumber, type OwnNumberRecord } from '@parley/contracts';
import { isUniqueViolation, statement, type SqlValue, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { countryOfNumber } from '../shared/phone-number.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';
import { findVisibleTrunk } from './own-trunk.ts';
import { OWN_NUMBER_SELECT, ownNumberRecord, type OwnNumberRow } from './phone-number-record.ts';
import { readOwnNumber } from './read-own-number.ts';

const selectNumbers = statement<OwnNumberRow>(
  'list_own_numbers',
  `${OWN_NUMBER_SELECT} where n.user_id = $1 order by n.id`,
);
const selectNumber = statement<OwnNumberRow>('find_own_number', `${OWN_NUMBER_SELECT} where n.id = $1`);
const insertNumber = statement<{ id: number }>(
  'insert_number',
  `insert into phone_numbers (user_id, trunk_id, phone_number, country_code, type_label, created_at)
   select u.id, $2, $3, $4, $5, $6 from users u where u.id = $1 returning id`,
);
const lockNumber = statement<{ id: number; isShared: boolean; userId: number }>(
  'lock_number',
  `select n.id, n.user_id, t.user_id is null as is_shared
   from phone_numbers n join trunks t on t.id = n.trunk_id where n.id = $1 for update of n`,
);
const findCampaignUse = statement<{ name: string }>(
  'number_campaign_use',
  `select name from campaigns
   where user_id = $2 and deleted_at is null and phone_number_ids @> to_jsonb($1::bigint) order by id limit 1`,
);
const deleteNumber = statement('delete_number', `delete from phone_numbers where id = $1`);

/**
 * @param of - for operators: whose numbers
 * @throws DomainError `forbidden` when a member asks for somebody else's
 */
export async function listOwnNumbers(
  ctx: CoreContext,
  identity: Identity,
  of: number = identity.userId,
): Promise<OwnNumberRecord[]> {
  if (of !== identity.userId) requireOperator(identity);
  return (await ctx.db.query(selectNumbers, [of])).map(ownNumberRecord);
}

/**
 * @throws DomainError `forbidden` when a member means a shared trunk or another user; `invalid` for a number that is
 *   impossible or taken, and for a trunk or user that is none
 */
export async function addNumber(
  ctx: CoreContext,
  identity: Identity,
  input: NewNumber,
): Promise<OwnNumberRecord> {
  const owner = input.user_id ?? identity.userId;
  if (owner !== identity.userId) requireOperator(identity);
  try {
    return await ctx.db.transaction(async (tx) => {
      const trunk = await findVisibleTrunk(tx, identity, input.sip_trunk_id);
      if (!trunk) throw fault('sip_trunk_id', wording.selected);
      if (trunk.userId === null) requireOperator(identity);
      // A user's own trunk carries only that user's calls.
      else if (trunk.userId !== owner) throw fault('user_id', wording.selected);
      const about = { userId: identity.userId, field: 'phone_number', text: input.phone_number };
      const number = await readOwnNumber(tx, about);
      const country = countryOfNumber(number);
      return writeNumber(tx, [owner, trunk.id, number, country, input.type_label, now(ctx)]);
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'phone_numbers_phone_number_unique')) throw error;
    throw fault('phone_number', wording.taken);
  }
}

/**
 * @throws DomainError `not-found`, also for somebody else's number (operators reach those on shared trunks); `conflict`
 *   while an assistant or a campaign uses it
 */
export async function removeNumber(ctx: CoreContext, identity: Identity, numberId: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Whoever assigns the number waits for this lock, so that the look below still holds at the end.
    const [number] = await tx.query(lockNumber, [numberId]);
    const mayRemove =
      number?.userId === identity.userId || (number?.isShared && identity.role === 'operator');
    if (!number || !mayRemove) throw new DomainError('not-found', 'Phone number not found');
    const [{ assistants } = { assistants: [] }] = await tx.query(selectNumber, [numberId]);
    refuseUse('assistant', assistants[0]);
    const [campaign] = await tx.query(findCampaignUse, [numberId, number.userId]);
    refuseUse('campaign', campaign);
    await tx.query(deleteNumber, [numberId]);
  });
}

async function writeNumber(tx: Tx, values: SqlValue[]): Promise<OwnNumberRecord> {
  const [made] = await tx.query(insertNumber, values);
  if (!made) throw fault('user_id', wording.selected);
  const [row] = await tx.query(selectNumber, [made.id]);
  if (!row) throw new Error('A new number vanished');
  return ownNumberRecord(row);
}

function refuseUse(what: 'assistant' | 'campaign', user: { name: string } | undefined): void {
  if (!user) return;
  throw new DomainError('conflict', `This phone number is assigned to the ${what} "${user.name}".`);
}

function fault(field: string, template: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: fieldFault(field, template) });
}
