/**
 * Explains why a lead was called each time, and what the dial rule decides now. It takes no locks: the verdict is of this
 * moment, and a claim decides again.
 */
import { isoMicroseconds, type LeadAttempts } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import { readCallCapacity } from '../capacity/call-capacity.ts';
import { loadRouteOptions } from '../capacity/load-route-options.ts';
import { readCampaign, type StoredCampaign } from '../dialing/campaign-rows.ts';
import { dialNumberOf, isDialable } from '../dialing/dial-input.ts';
import {
  decideDial,
  type DialNumber,
  type FreeSlots,
  type DialVerdict,
  type WaitReason,
} from '../dialing/dial-rule.rules.ts';
import { explainReason } from '../dialing/dial-reason-texts.rules.ts';
import { loadNumbers, type StoredNumber } from '../dialing/load-numbers.ts';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { attemptRecord, type AttemptRow } from './attempt-record.ts';
import { leadNotFound, readOwnLead } from './find-lead.ts';
import { explainLocalHours, explainNoCommonHours } from './local-hours.rules.ts';

const MOST_ATTEMPTS = 200;

const selectAttempts = statement<AttemptRow>(
  'lead_attempts',
  `select id, lead_id, client_phone_number, attempt, created_at, status, ended_reason, answered_by, dial_decision,
     (select d.disposition from call_dispositions d where d.call_id = calls.id) as disposition
   from calls where user_id = $1 and lead_id = any($2) order by created_at desc, id desc limit ${MOST_ATTEMPTS}`,
);
const selectEntry = statement<{
  leadId: number;
  attempt: number;
  readyAt: Date;
  dialReason: string | null;
}>(
  'queue_entry_of_lead',
  `select q.lead_id, q.attempt, q.ready_at, l.dial_reason
   from dial_queue q join leads l on l.id = q.lead_id where q.lead_id = any($1) order by q.ready_at limit 1`,
);
const countCalls = statement<{ live: number }>(
  'calls_beside_lead',
  `select count(*) as live from live_calls where campaign_id = $1`,
);

/**
 * @param id - of a lead or a secondary contact; the answer covers both
 * @throws DomainError `not-found`, also for another user's lead
 */
export async function explainLead(ctx: CoreContext, identity: Identity, id: number): Promise<LeadAttempts> {
  const { campaignId } = (await readOwnLead(ctx.db, identity, id)).lead;
  return ctx.db.transaction(async (tx) => {
    const campaign = await readCampaign(tx, campaignId);
    const numbers = (await loadNumbers(tx, [id])).get(id);
    if (!campaign || !numbers) throw leadNotFound();
    const leadIds = numbers.map(({ leadId }) => leadId);
    const attempts = await tx.query(selectAttempts, [identity.userId, leadIds]);
    return {
      lead_id: leadIds[0] ?? id,
      now: await explainNow(ctx, tx, campaign, numbers),
      attempts: attempts.map(attemptRecord),
    };
  });
}

async function explainNow(
  ctx: CoreContext,
  tx: Tx,
  campaign: StoredCampaign,
  numbers: readonly StoredNumber[],
): Promise<LeadAttempts['now']> {
  const at = now(ctx);
  const [main] = numbers;
  const [entry] = await tx.query(selectEntry, [numbers.map(({ leadId }) => leadId)]);
  const configuration = await freezeConfiguration(tx, campaign);
  const routeOptions = await loadRouteOptions(tx, campaign.userId);
  const capacity = await readCallCapacity(tx, { userId: campaign.userId, routeOptions, at });
  const input = { campaign, configuration, routeOptions, capacity };
  const [counted] = await tx.query(countCalls, [campaign.id]);
  const free: FreeSlots = { ...capacity, campaign: campaign.maxCallsInParallel - (counted?.live ?? 0) };
  const dialNumbers = numbers.map((number) => dialNumberOf(input, number));
  const verdict = decideDial({
    campaign,
    isAssistantReady: isDialable(configuration),
    numbers: dialNumbers,
    turnLeadId: entry?.leadId ?? main?.leadId ?? 0,
    round: entry?.attempt ?? 1,
    readyAt: entry?.readyAt ?? at,
    freeSlots: free,
    now: at,
    databaseNow: await ctx.databaseNow(tx),
  });
  const shown = withStoredReason(verdict, entry?.dialReason ?? null);
  const record = verdictRecord(shown, { numbers, round: entry?.attempt ?? null });
  return { ...record, explanation: explainHours(shown, { campaign, dialNumbers, at }) ?? record.explanation };
}

/** The reasons for which a claim delays a lead: they tell more than that it is not due. */
const PAUSES: readonly WaitReason[] = [
  'lead_window_closed',
  'number_in_call',
  'attempt_limit',
  'no_line',
  'trunk_calls',
  'trunk_rate',
  'trunk_paused',
  'daily_limit',
];

function withStoredReason(verdict: DialVerdict, stored: string | null): DialVerdict {
  const pause = PAUSES.find((reason) => reason === stored);
  return verdict.do === 'wait' && verdict.reason === 'not_due' && pause
    ? { ...verdict, reason: pause }
    : verdict;
}

/** Names the local hours if they are the reason. */
function explainHours(
  verdict: DialVerdict,
  { campaign, dialNumbers, at }: { campaign: StoredCampaign; dialNumbers: readonly DialNumber[]; at: Date },
): string | null {
  if (verdict.do === 'wait' && verdict.reason === 'lead_window_closed') {
    const { turnLeadId } = verdict;
    const turn = dialNumbers.find(({ leadId }) => leadId === turnLeadId) ?? dialNumbers[0];
    return explainLocalHours(campaign, turn?.zones ?? [], at);
  }
  const zones = dialNumbers[0]?.zones ?? [];
  return verdict.reason === 'no_allowed_time' && zones.length > 0
    ? explainNoCommonHours(campaign, zones)
    : null;
}

function verdictRecord(
  verdict: DialVerdict,
  { numbers, round }: { numbers: readonly StoredNumber[]; round: number | null },
): LeadAttempts['now'] {
  const said = {
    decision: verdict.do,
    reason: verdict.reason,
    explanation: explainReason(verdict.reason),
    until: null,
    phone_number: null,
    round: null,
  };
  switch (verdict.do) {
    case 'never':
      return said;
    case 'dial':
      return { ...said, phone_number: verdict.number.phoneNumber, round };
    case 'wait': {
      const turn = numbers.find(({ leadId }) => leadId === verdict.turnLeadId) ?? numbers[0];
      const until = verdict.until && isoMicroseconds(verdict.until);
      return { ...said, until, phone_number: turn?.phoneNumber ?? null, round: round && verdict.round };
    }
  }
}
