/**
 * Campaigns that have due leads and wait for a slot under a shared limit: of their account, of a trunk, of the voice
 * fleet. Each limit has a queue. When a slot becomes free, the campaign that has waited longest is woken; if it does
 * not use the slot, it wakes the next one.
 */
import { statement, type Tx } from '@parley/db';
import type { CallCapacity, LimitKey } from './call-capacity.ts';
import type { TrunkHold, RouteTrunk } from './route-call.rules.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/** The limit that a campaign waits for. */
export interface CampaignHold {
  key: LimitKey;
  /** When the campaign is filled again if it is not woken before; null: not planned. */
  until: Date | null;
}

/** A campaign that has begun calls moves to the end of the queue. */
const writeHold = statement(
  'hold_campaign',
  `update campaigns set held_by = $2::text, held_since = case when $2::text is null then null
     when held_by = $2::text and not $4::boolean then held_since else $3::timestamptz end
   where id = $1`,
);
/**
 * Locks the campaign, so that several slots that become free at once go to different campaigns. Campaigns that are
 * locked, because they are being filled or were just selected, are skipped without waiting.
 */
const selectNext = statement<{ id: number; heldBy: LimitKey }>(
  'next_held_campaign',
  `select id, held_by from campaigns
   where held_by = any($1) and id <> $2 and status = 'in-progress' and deleted_at is null
   order by held_since, id limit 1 for no key update skip locked`,
);
const NO_CAMPAIGN = 0;

/**
 * The first shared limit without a free slot; null: each has one.
 *
 * @param trunks - with their holds
 */
export function holdOf(
  userId: number,
  { account, fleet }: CallCapacity,
  trunks: readonly RouteTrunk[],
): CampaignHold | null {
  if (account <= 0) return { key: `account:${userId}`, until: null };
  if (fleet <= 0) return { key: 'fleet', until: null };
  const first = trunks[0]?.hold;
  return first && trunks.every(({ hold }) => hold !== null) ? holdForTrunk(first, first.until) : null;
}

/** @returns null when no trunk could carry the call, so that there is nothing to wait for */
export function holdForTrunk({ trunkId }: TrunkHold, until: Date | null): CampaignHold | null {
  return trunkId === null ? null : { key: `trunk:${trunkId}`, until };
}

/** Stores what a campaign waits for, under its lock, after it has been filled. */
export async function keepHold(
  tx: Tx,
  campaign: { id: number; heldBy: LimitKey | null },
  now: { hold: CampaignHold | null; hasBegun: boolean; at: Date },
): Promise<void> {
  const { id, heldBy } = campaign;
  const key = now.hold?.key ?? null;
  if (heldBy === null && key === null) return;
  await tx.query(writeHold, [id, key, now.at, now.hasBegun]);
  // The campaign no longer waits for this limit: the next one may use its slots.
  if (heldBy !== null && key !== heldBy) await wakeNextHeld(tx, [heldBy], id);
}

/** Wakes the campaign that has waited longest under limits that have a free slot. */
export async function wakeNextHeld(
  tx: Tx,
  keys: readonly LimitKey[],
  except: number | null = null,
): Promise<void> {
  const next = await findNextHeld(tx, keys, except);
  if (next !== null) await wakeCampaign(tx, next);
}

/**
 * The campaign that has waited longest under some limits.
 *
 * @param except - a campaign that is not to be selected
 */
export async function findNextHeld(
  tx: Tx,
  keys: readonly LimitKey[],
  except: number | null,
): Promise<number | null> {
  const [next] = await tx.query(selectNext, [keys, except ?? NO_CAMPAIGN]);
  return next?.id ?? null;
}

/**
 * The campaign that has waited longest for the account or the fleet of this one. Trunks are left out, because campaigns
 * that wait for a trunk are also filled at a planned time.
 *
 * @returns null when no other campaign waits
 */
export async function findLongestHeld(
  tx: Tx,
  { id, userId }: { id: number; userId: number },
): Promise<{ id: number; heldBy: LimitKey } | null> {
  const [first] = await tx.query(selectNext, [[`account:${userId}`, 'fleet'], id]);
  return first ?? null;
}
