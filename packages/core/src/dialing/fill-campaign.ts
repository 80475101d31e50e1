/**
 * Brings a campaign to its `max_calls_in_parallel`: lock, count, claim, each in a statement of its own; lock and count are
 * sent together. A count in the same statement as the lock would use a snapshot from before the lock was granted, and
 * could exceed the limit. Between two fills only the limit that the campaign waits for is stored; calls are counted in
 * `live_calls`.
 */
import { isUniqueViolation, sendTogether, statement, type Tx } from '@parley/db';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import {
  routeOptionsWithin,
  lockCallCapacity,
  planLimitLocks,
  type CallCapacity,
} from '../capacity/call-capacity.ts';
import { ONE_CALL_PER_NUMBER } from '../calls/insert-call.ts';
import { nextUtcDay, verdictOfUsage } from '../capacity/dial-usage.rules.ts';
import { readDialUsage } from '../capacity/dial-usage.ts';
import { IS_DISARMED } from '../capacity/disarmed.ts';
import { loadRouteOptions, type StoredRouteOptions } from '../capacity/load-route-options.ts';
import { isHarmless } from '../capacity/route-call.rules.ts';
import { now, type CoreContext } from '../context.ts';
import { fleetCapacity, listVoiceLoads } from '../capacity/lease.ts';
import { findLongestHeld, holdOf, holdForTrunk, type CampaignHold } from '../capacity/campaign-hold.ts';
import { lockCampaign, type StoredCampaign } from './campaign-rows.ts';
import { claimLeads } from './claim-leads.ts';
import { commonWindowAt } from './common-window.rules.ts';
import { isDialable, type DialInput } from './dial-input.ts';
import { laterWindow } from './dial-rule.rules.ts';
import { planNextLook } from './plan-next-look.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/** A number may enter another call between our read and our insertion; the next try reads that call. */
const TRIES = 5;
/** Queue entries claimed at once. */
const BATCH = 100;
/** Queue entries checked under one lock, for which dials and ends of calls wait. The rest is checked at once after it. */
const LOOK_LIMIT = 200;

const countLive = statement<{ live: number; isDisarmed: boolean; isDisabled: boolean }>(
  'count_campaign_calls',
  `select count(*) as live, ${IS_DISARMED} as is_disarmed, exists (
     select 1 from campaigns c join users u on u.id = c.user_id where c.id = $1 and u.disabled_at is not null
   ) as is_disabled
   from live_calls where campaign_id = $1`,
);
/** Sent before the count, so that the wake of a call that ends after the count is kept. */
const forgetWakes = statement('forget_campaign_wakes', `delete from campaign_wakes where campaign_id = $1`);
const storeTurn = statement('store_caller_turn', `update campaigns set caller_turn = $2 where id = $1`);

/** Which campaign is to be filled. */
export interface Refill {
  campaignId: number;
  /**
   * One of its calls has ended while other campaigns were waiting: it takes no slot, but queues behind them. Otherwise
   * campaigns whose calls end quickly would keep their slots for themselves.
   */
  isYielding?: boolean;
}

/** The result of a fill. */
interface Filled {
  /** Free slots under the campaign's own limit. */
  free: number;
  hold: CampaignHold | null;
  hasBegun: boolean;
}

/** The time by the clock of this process and by that of the database. */
interface Clocks {
  at: Date;
  databaseNow: Date;
}

interface FillAim {
  campaign: StoredCampaign;
  /** Free slots under its own limit. */
  free: number;
  isYielding: boolean;
}

/** Begins the calls that may begin now, and plans the next fill. May run at any time. */
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
  // Arming wakes every campaign. Campaigns of an account that is enabled again are woken by the sweep.
  if (counted?.isDisarmed || counted?.isDisabled) return;
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
  const [configuration, routeOptions, capacityOfFleet] = await sendTogether(tx, [
    (tx) => freezeConfiguration(tx, campaign),
    (tx) => loadRouteOptions(tx, campaign.userId),
    (tx) => fleetCapacity(tx),
  ]);
  if (!isDialable(configuration)) {
    // The sweep checks the campaign again every minute.
    ctx.log.warn({ campaignId: campaign.id }, 'A campaign cannot dial: its assistant is missing or inactive');
    return nothing;
  }
  const spent = await findSpentLimit(tx, { campaign, routeOptions, at: clocks.at });
  if (spent) return { free, hold: spent, hasBegun: false };
  const request = {
    userId: campaign.userId,
    routeOptions,
    wanted: free,
    at: clocks.at,
    fleetCapacity: capacityOfFleet,
  };
  const locks = await planLimitLocks(tx, request);
  // The voice processes are read without a lock: a process that is full refuses the call.
  const [capacity, voices, first] = await sendTogether(tx, [
    (tx) => lockCallCapacity(tx, locks),
    (tx) => listVoiceLoads(tx),
    isYielding && ((tx: Tx) => findLongestHeld(tx, campaign)),
  ]);
  if (first) {
    // It was woken when the call ended. Without another wake, further free slots would stay unused until the next end.
    if ((first.heldBy === 'fleet' ? capacity.fleet : capacity.account) > 0) await wakeCampaign(tx, first.id);
    return { free, hold: { key: first.heldBy, until: null }, hasBegun: false };
  }
  const turnBefore = campaign.callerTurn;
  const input: DialInput = { campaign, configuration, routeOptions, capacity, voices, free, ...clocks };
  const hold = await dialUntilFull(tx, input);
  if (campaign.callerTurn !== turnBefore) await tx.query(storeTurn, [campaign.id, campaign.callerTurn]);
  return { free: input.free, hold, hasBegun: input.free < free };
}

/** A limit per second or per day of the owner or the token. Without it every dial would be refused on its own. */
async function findSpentLimit(
  tx: Tx,
  { campaign, routeOptions, at }: { campaign: StoredCampaign; routeOptions: StoredRouteOptions; at: Date },
): Promise<CampaignHold | null> {
  if (routeOptions.trunks.every(isHarmless)) return null;
  const verdict = verdictOfUsage(await readDialUsage(tx, campaign));
  if (!verdict) return null;
  const until = verdict.reason === 'wait' ? new Date(at.getTime() + verdict.waitMs) : nextUtcDay(at);
  return { key: `account:${campaign.userId}`, until };
}

/** @returns the shared limit that was reached; null: the leads or the campaign's own limit were used up first */
async function dialUntilFull(tx: Tx, input: DialInput): Promise<CampaignHold | null> {
  const { campaign, routeOptions, capacity } = input;
  for (let looked = 0; input.free > 0 && looked < LOOK_LIMIT;) {
    const hold = holdOf(campaign.userId, capacity, routeOptionsWithin(routeOptions, capacity).trunks);
    if (hold) return hold;
    const limit = Math.min(input.free, capacity.account, capacity.fleet, freeTrunkSlots(capacity), BATCH);
    const { taken, due, trunkHold } = await claimLeads(tx, input, limit);
    if (taken === 0) return null;
    looked += taken;
    if (due.length === 0 && trunkHold) return holdForTrunk(trunkHold, trunkHold.until);
  }
  return null;
}

/** Limits the claim, so that few leads are claimed only to be queued again. At least 1: another trunk may be free. */
function freeTrunkSlots({ trunks }: CallCapacity): number {
  if (trunks.size === 0) return Infinity;
  return Math.max(
    1,
    [...trunks.values()].reduce((sum, { free }) => sum + Math.max(0, free), 0),
  );
}
