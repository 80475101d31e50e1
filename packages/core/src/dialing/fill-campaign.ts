/**
 * Brings a campaign to its `max_calls_in_parallel`: lock, then count, then take, each in a statement of its own, though
 * lock and count travel together. A count in the same statement as the lock would see the world as it was before the
 * lock was given, and go over the limit.
 * Nothing is remembered between two fills but whom it waits for; the truth is `live_calls`.
 */
import { isUniqueViolation, sendTogether, statement, type Tx } from '@parley/db';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import { linesWithRoom, lockCallRoom, planGates, type CallRoom } from '../capacity/call-room.ts';
import { ONE_CALL_PER_NUMBER } from '../calls/insert-call.ts';
import { loadLines } from '../capacity/load-lines.ts';
import { now, type CoreContext } from '../context.ts';
import { fleetCapacity, listVoiceRooms } from '../capacity/lease.ts';
import { findFirstInLine, holdOf, lineHoldOf, type CampaignHold } from '../capacity/campaign-hold.ts';
import { lockCampaign, type StoredCampaign } from './campaign-rows.ts';
import { claimLeads } from './claim-leads.ts';
import { commonWindowAt } from './common-window.rules.ts';
import { isDialable, type DialInput } from './dial-input.ts';
import { laterWindow } from './dial-rule.rules.ts';
import { planNextLook } from './plan-next-look.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/** A number may come into another call between our look and our write; the next look sees it. */
const TRIES = 5;
/** Places taken at once. */
const BATCH = 100;
/** Places looked at under one lock, which dials and ends of calls wait for; the next look is planned for at once. */
const LOOK_LIMIT = 200;

const countLive = statement<{ live: number }>(
  'count_campaign_calls',
  `select count(*) as live from live_calls where campaign_id = $1`,
);
/** Before the count, so that whoever ends a call after it leaves a note that stays. */
const forgetWakes = statement('forget_campaign_wakes', `delete from campaign_wakes where campaign_id = $1`);
const storeTurn = statement('store_caller_turn', `update campaigns set caller_turn = $2 where id = $1`);

/** Which campaign is to be filled. */
export interface Refill {
  campaignId: number;
  /**
   * One of its calls has ended while others were waiting: it takes no place, but stands in line behind them. Places that
   * end faster than others are served would otherwise stay with those who have them.
   */
  isYielding?: boolean;
}

/** What a fill leaves. */
interface Filled {
  /** Calls up to the campaign's own limit. */
  free: number;
  hold: CampaignHold | null;
  hasBegun: boolean;
}

/** Two clocks: of this process, and of the database. */
interface Clocks {
  at: Date;
  databaseNow: Date;
}

interface FillAim {
  campaign: StoredCampaign;
  /** Calls up to its own limit. */
  free: number;
  isYielding: boolean;
}

/** Starts the calls that may start now, and plans the next look at the campaign. Harmless at any time. */
export async function fillCampaign(ctx: CoreContext, refill: Refill): Promise<void> {
  for (let triesLeft = TRIES - 1; ; triesLeft--) {
    try {
      return await ctx.db.transaction((tx) => fill(ctx, tx, refill));
    } catch (error) {
      if (triesLeft === 0 || !isUniqueViolation(error, ONE_CALL_PER_NUMBER)) throw error;
    }
  }
}

async function fill(ctx: CoreContext, tx: Tx, { campaignId, isYielding = false }: Refill): Promise<void> {
  const [campaign, , [counted], databaseNow] = await sendTogether(tx, [
    (tx) => lockCampaign(tx, campaignId),
    (tx) => tx.query(forgetWakes, [campaignId]),
    (tx) => tx.query(countLive, [campaignId]),
    (tx) => ctx.databaseNow(tx),
  ]);
  if (!campaign || campaign.isDeleted || campaign.status !== 'in-progress') return;
  const clocks = { at: now(ctx), databaseNow };
  const window = laterWindow(
    commonWindowAt(campaign, [], clocks.at),
    commonWindowAt(campaign, [], clocks.databaseNow),
  );
  const free = campaign.maxCallsInParallel - (counted?.live ?? 0);
  const filled = window.isOpen
    ? await fillOpen(ctx, tx, { campaign, free, isYielding, ...clocks })
    : { free: campaign.maxCallsInParallel, hold: null, hasBegun: false };
  await planNextLook(ctx, tx, { campaign, window, ...filled, ...clocks });
}

async function fillOpen(
  ctx: CoreContext,
  tx: Tx,
  { campaign, free, isYielding, ...clocks }: Clocks & FillAim,
): Promise<Filled> {
  const nothing = { free: 0, hold: null, hasBegun: false };
  if (free <= 0) return nothing;
  const [configuration, lines, capacity] = await sendTogether(tx, [
    (tx) => freezeConfiguration(tx, campaign),
    (tx) => loadLines(tx, campaign.userId),
    (tx) => fleetCapacity(tx),
  ]);
  if (!isDialable(configuration)) {
    // The sweep looks again every minute.
    ctx.log.warn({ campaignId: campaign.id }, 'A campaign cannot dial: its assistant is missing or inactive');
    return nothing;
  }
  const request = { userId: campaign.userId, lines, wanted: free, at: clocks.at, fleetCapacity: capacity };
  const gates = await planGates(tx, request);
  // Who carries them may be counted without a lock: a process that is full says so.
  const [room, voices, first] = await sendTogether(tx, [
    (tx) => lockCallRoom(tx, gates),
    (tx) => listVoiceRooms(tx),
    isYielding && ((tx: Tx) => findFirstInLine(tx, campaign)),
  ]);
  if (first) {
    // It was woken when the call ended; places that are free all the same would wait for the next end.
    if ((first.heldBy === 'fleet' ? room.fleet : room.account) > 0) await wakeCampaign(tx, first.id);
    return { free, hold: { key: first.heldBy, until: null }, hasBegun: false };
  }
  const turnBefore = campaign.callerTurn;
  const means: DialInput = { campaign, configuration, lines, room, voices, free, ...clocks };
  const hold = await dialWhileThereIsRoom(tx, means);
  if (campaign.callerTurn !== turnBefore) await tx.query(storeTurn, [campaign.id, campaign.callerTurn]);
  return { free: means.free, hold, hasBegun: means.free < free };
}

/** @returns the shared limit that stopped it; null: leads or the campaign's own limit ran out first */
async function dialWhileThereIsRoom(tx: Tx, means: DialInput): Promise<CampaignHold | null> {
  const { campaign, lines, room } = means;
  for (let looked = 0; means.free > 0 && looked < LOOK_LIMIT;) {
    const hold = holdOf(campaign.userId, room, linesWithRoom(lines, room).trunks);
    if (hold) return hold;
    const limit = Math.min(means.free, room.account, room.fleet, lineRoomOf(room), BATCH);
    const { taken, due, lineHold } = await claimLeads(tx, means, limit);
    if (taken === 0) return null;
    looked += taken;
    if (due.length === 0 && lineHold) return lineHoldOf(lineHold, lineHold.until);
  }
  return null;
}

/** So that few leads are taken out of the queue only to be put back. One at least: it may go out on another line. */
function lineRoomOf({ trunks }: CallRoom): number {
  if (trunks.size === 0) return Infinity;
  return Math.max(
    1,
    [...trunks.values()].reduce((sum, { free }) => sum + Math.max(0, free), 0),
  );
}
