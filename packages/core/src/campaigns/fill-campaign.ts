/**
 * Brings a campaign to its `max_calls_in_parallel`: lock, then count, then take, each in a statement of its own. A count
 * in the same statement as the lock would see the world as it was before the lock was given, and go over the limit.
 * Nothing is remembered between two fills; the truth is `live_calls`.
 */
import { statement, type Tx } from '@parley/db';
import { freezeConfiguration, type CallConfiguration } from '../calls/call-configuration.ts';
import { loadLines } from '../calls/load-lines.ts';
import { now, type CoreContext } from '../context.ts';
import { windowAt } from './calling-window.rules.ts';
import { lockCampaign, type StoredCampaign } from './campaign-rows.ts';
import { claimLeads } from './claim-leads.ts';
import { queuePlace, setDialState } from './lead-writes.ts';
import { placeCampaignCalls, type DueNumber } from './place-campaign-calls.ts';
import { planNextLook } from './plan-next-look.ts';

/** Places taken at once. */
const BATCH = 100;
/** Places looked at under one lock, which dials and ends of calls wait for; the next look is planned for at once. */
const LOOK_LIMIT = 200;
/** A lead whose number no line reaches is looked at again after this long: somebody may add a line. */
const NO_LINE_PAUSE_MS = 600_000;

const countLive = statement<{ live: number }>(
  'count_campaign_calls',
  `select count(*) as live from live_calls where campaign_id = $1`,
);
const storeTurn = statement('store_caller_turn', `update campaigns set caller_turn = $2 where id = $1`);

/** Starts the calls that may start now, and plans the next look at the campaign. Harmless at any time. */
export async function fillCampaign(ctx: CoreContext, tx: Tx, campaignId: number): Promise<void> {
  const campaign = await lockCampaign(tx, campaignId);
  if (!campaign || campaign.isDeleted || campaign.status !== 'in-progress') return;
  const at = now(ctx);
  const window = windowAt(campaign, at);
  const free = window.isOpen ? await fillOpen(ctx, tx, campaign, at) : campaign.maxCallsInParallel;
  await planNextLook(ctx, tx, { campaign, window, free, at });
}

/** @returns how many more calls may run */
async function fillOpen(ctx: CoreContext, tx: Tx, campaign: StoredCampaign, at: Date): Promise<number> {
  const [counted] = await tx.query(countLive, [campaign.id]);
  let free = campaign.maxCallsInParallel - (counted?.live ?? 0);
  if (free <= 0) return 0;
  const configuration = await freezeDialable(tx, campaign);
  if (!configuration) {
    ctx.log.warn({ campaignId: campaign.id }, 'A campaign cannot dial: its assistant is missing or inactive');
    return 0;
  }
  const means = { campaign, configuration, lines: await loadLines(tx, campaign.userId), at };
  const turnBefore = campaign.callerTurn;
  for (let looked = 0; free > 0 && looked < LOOK_LIMIT;) {
    const { taken, due } = await claimLeads(tx, campaign, { limit: Math.min(free, BATCH), at });
    if (taken === 0) break;
    looked += taken;
    const unreachable = due.length === 0 ? [] : await placeCampaignCalls(tx, means, due);
    await delayUnreachable(tx, unreachable, at);
    free -= due.length - unreachable.length;
  }
  if (campaign.callerTurn !== turnBefore) await tx.query(storeTurn, [campaign.id, campaign.callerTurn]);
  return free;
}

/** @returns null when the assistant may not call; the sweep looks again every minute */
async function freezeDialable(tx: Tx, campaign: StoredCampaign): Promise<CallConfiguration | null> {
  const configuration = await freezeConfiguration(tx, campaign);
  return configuration?.assistant.status === 'active' && configuration.assistant.type === 'outbound'
    ? configuration
    : null;
}

async function delayUnreachable(tx: Tx, unreachable: readonly DueNumber[], at: Date): Promise<void> {
  const readyAt = new Date(at.getTime() + NO_LINE_PAUSE_MS);
  for (const { number, main, round } of unreachable) {
    await setDialState(tx, [number.leadId, main.leadId], 'waiting', 'no_line');
    await queuePlace(tx, { leadId: number.leadId, round, readyAt });
  }
}
