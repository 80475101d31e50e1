/**
 * Removes phone numbers and SIP trunks. A trunk that was created for one number, in the terms of other products of the API
 * family, goes together with that number: there it is one thing with one id. See docs/api.md, "Clients of the API family".
 */
import {
  LiveCall,
  LockMode,
  PhoneNumber,
  statement,
  Trunk,
  type PhoneNumberRow,
  type Transaction,
  type TrunkRow,
  type Tx,
} from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { findVisibleTrunk, lockOwnTrunk } from './own-trunk.ts';
import { assistantsWith } from './phone-number-record.ts';

/** SQL, because it looks into a JSON array. */
const findCampaignUse = statement<{ name: string }>(
  'number_campaign_use',
  `select name from campaigns
   where user_id = $2 and deleted_at is null and phone_number_ids @> to_jsonb($1::bigint) order by id limit 1`,
);

/** An assignment of the number waits for this lock, so that the checks still hold at the commit. */
const LOCK = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

/**
 * A number of a carrier account stays there, and is still paid for: releasing it would lose it for good.
 *
 * @param id - of the number, or of a trunk that is one line
 * @returns whether it belongs to a carrier account
 * @throws DomainError `not-found`, also for another user's number (operators may remove those on shared trunks); `conflict`
 *   while an assistant or a campaign uses it, or its line carries a call
 */
export async function removeNumber(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<{ isOfCarrier: boolean }> {
  return ctx.db.transaction(async (tx) => {
    const known = await tx.em.findOne(PhoneNumber, { id });
    // The trunk is locked before its numbers, as when it gets one.
    const line = await lockLine(tx, identity, known?.trunkId ?? id);
    if (!known && line) {
      await removeLine(tx, line);
      return { isOfCarrier: false };
    }
    const number = await tx.em.findOne(PhoneNumber, { id }, LOCK);
    if (!number || !(await mayRemove(tx, identity, number)))
      throw new DomainError('not-found', 'Phone number not found');
    await removeRow(tx, number);
    if (line && (await tx.em.count(PhoneNumber, { trunkId: line.id })) === 0) await removeLine(tx, line);
    return { isOfCarrier: number.carrierAccountId !== null };
  });
}

/** @throws DomainError as `lockOwnTrunk`; `conflict` while it has numbers, unless it is a line with its number, or carries a call */
export async function removeTrunk(ctx: CoreContext, identity: Identity, trunkId: number): Promise<void> {
  await ctx.db.transaction(async (tx) => removeLine(tx, await lockOwnTrunk(tx, identity, trunkId)));
}

/** @returns null when the trunk is no line, is missing, or is not the user's to remove */
async function lockLine(tx: Transaction, identity: Identity, trunkId: number): Promise<TrunkRow | null> {
  const trunk = await findVisibleTrunk(tx, identity, trunkId);
  const isOwn = trunk !== null && (trunk.userId !== null || identity.role === 'operator');
  return isOwn && trunk.isOneLine ? trunk : null;
}

/** A trunk, and its number if the two are one line. */
async function removeLine(tx: Transaction, trunk: TrunkRow): Promise<void> {
  const numbers = await tx.em.find(PhoneNumber, { trunkId: trunk.id }, LOCK);
  if (numbers.length > (trunk.isOneLine ? 1 : 0))
    throw new DomainError('conflict', 'This SIP trunk still has phone numbers. Remove them first.');
  if ((await tx.em.count(LiveCall, { trunkId: trunk.id })) > 0)
    throw new DomainError('conflict', 'This SIP trunk is carrying a call.');
  for (const number of numbers) await removeRow(tx, number);
  tx.em.remove(trunk);
}

async function removeRow(tx: Transaction, number: PhoneNumberRow): Promise<void> {
  const [assistant] = await assistantsWith(tx, [number.id]);
  refuseUse('assistant', assistant);
  const [campaign] = await tx.query(findCampaignUse, [number.id, number.userId]);
  refuseUse('campaign', campaign);
  tx.em.remove(number);
  await tx.em.flush();
}

async function mayRemove(tx: Tx, identity: Identity, number: PhoneNumberRow): Promise<boolean> {
  if (number.userId === identity.userId) return true;
  if (identity.role !== 'operator') return false;
  return (await tx.em.count(Trunk, { id: number.trunkId, userId: null })) > 0;
}

function refuseUse(what: 'assistant' | 'campaign', user: { name: string } | undefined): void {
  if (!user) return;
  throw new DomainError('conflict', `This phone number is assigned to the ${what} "${user.name}".`);
}
