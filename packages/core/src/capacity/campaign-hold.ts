/**
 * Campaigns that have leads ready and are held up by a limit that they share with others: of their account, of a trunk,
 * of the voice fleet. They wait in a line for each limit; whoever has waited longest is woken when a place comes free,
 * and wakes the next one when it leaves the place unused.
 */
import { statement, type Tx } from '@parley/db';
import type { CallRoom, GateKey } from './call-room.ts';
import type { LineHold, RouteTrunk } from './route-call.rules.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/** What a campaign waits for. */
export interface CampaignHold {
  key: GateKey;
  /** The next look, should nobody wake it before; null: none is needed. */
  until: Date | null;
}

/** Whoever has begun calls goes to the end of the line. */
const writeHold = statement(
  'hold_campaign',
  `update campaigns set held_by = $2::text, held_since = case when $2::text is null then null
     when held_by = $2::text and not $4::boolean then held_since else $3::timestamptz end
   where id = $1`,
);
/**
 * Locked, so that of several places that come free at once each goes to another one. Who finds one locked, because it is
 * being filled or was just chosen, takes the next: nobody waits.
 */
const selectNext = statement<{ id: number; heldBy: GateKey }>(
  'next_held_campaign',
  `select id, held_by from campaigns
   where held_by = any($1) and id <> $2 and status = 'in-progress' and deleted_at is null
   order by held_since, id limit 1 for no key update skip locked`,
);
const NOBODY = 0;

/**
 * The shared limit that is used up; null: there is room under each.
 *
 * @param trunks - as the room leaves them
 */
export function holdOf(
  userId: number,
  { account, fleet }: CallRoom,
  trunks: readonly RouteTrunk[],
): CampaignHold | null {
  if (account <= 0) return { key: `account:${userId}`, until: null };
  if (fleet <= 0) return { key: 'fleet', until: null };
  const first = trunks[0]?.hold;
  return first && trunks.every(({ hold }) => hold !== null) ? lineHoldOf(first, first.until) : null;
}

/** @returns null where there is no line to wait for */
export function lineHoldOf({ trunkId }: LineHold, until: Date | null): CampaignHold | null {
  return trunkId === null ? null : { key: `trunk:${trunkId}`, until };
}

/** Under the campaign's lock, once it has been filled. */
export async function keepHold(
  tx: Tx,
  campaign: { id: number; heldBy: GateKey | null },
  now: { hold: CampaignHold | null; hasBegun: boolean; at: Date },
): Promise<void> {
  const { id, heldBy } = campaign;
  const key = now.hold?.key ?? null;
  if (heldBy === null && key === null) return;
  await tx.query(writeHold, [id, key, now.at, now.hasBegun]);
  // It has what it waited for, or wants nothing any more.
  if (heldBy !== null && key !== heldBy) await wakeNextHeld(tx, [heldBy], id);
}

/** A place has come free under some limits. */
export async function wakeNextHeld(
  tx: Tx,
  keys: readonly GateKey[],
  except: number | null = null,
): Promise<void> {
  const next = await findNextHeld(tx, keys, except);
  if (next !== null) await wakeCampaign(tx, next);
}

/**
 * Who has waited longest for a place under some limits.
 *
 * @param except - a campaign that looks after itself
 */
export async function findNextHeld(
  tx: Tx,
  keys: readonly GateKey[],
  except: number | null,
): Promise<number | null> {
  const [next] = await tx.query(selectNext, [keys, except ?? NOBODY]);
  return next?.id ?? null;
}

/**
 * Who has waited longest for what this campaign needs too. Trunks are left out: their lines wait for a clock as well.
 *
 * @returns null when nobody else waits
 */
export async function findFirstInLine(
  tx: Tx,
  { id, userId }: { id: number; userId: number },
): Promise<{ id: number; heldBy: GateKey } | null> {
  const [first] = await tx.query(selectNext, [[`account:${userId}`, 'fleet'], id]);
  return first ?? null;
}
