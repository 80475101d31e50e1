/**
 * The forecast of a campaign from its present leads in groups, its limits, and the dial rule. SQL, because it groups all leads
 * of a campaign.
 */
import {
  errorText,
  fieldFault,
  isoMicroseconds,
  wording,
  type CampaignForecast,
  type ForecastQuestion,
} from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import { UNLIMITED_CAPACITY } from '../capacity/call-capacity.ts';
import { loadRouteOptions, type StoredRouteOptions } from '../capacity/load-route-options.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { readCampaign, type StoredCampaign } from '../dialing/campaign-rows.ts';
import { dialNumberOf } from '../dialing/dial-input.ts';
import type { DialNumber } from '../dialing/dial-rule.rules.ts';
import { explainReason } from '../dialing/dial-reason-texts.rules.ts';
import { campaignNotFound, findCampaign } from './find-campaign.ts';
import { forecastCost, type ForecastCost, type PricedCall } from './forecast-cost.rules.ts';
import type { LeadGroup } from './forecast-queue.rules.ts';
import { flyCampaign, type Flight } from './forecast.rules.ts';

interface GroupRow {
  leads: number;
  round: number;
  readyAt: Date;
  /** Index of the number whose turn it is among the numbers of its lead; 0: the lead's own. */
  turn: number;
  contacts: number;
  isForbidden: boolean;
  /** True also if the campaign does not require consent. */
  hasConsent: boolean;
  /** One of the group. */
  phoneNumber: string;
}

/** Numbers with the same prefix are in one country and its time zones. For North America the prefix includes the area code. */
const PREFIX = `left(phone_number, case when phone_number like '+1%' then 5 else 7 end)`;

/**
 * Groups leads that the rules treat alike, by the minute at which they are due. Numbers are distinguished only if the
 * result depends on them: by country if $3 is true, by whether they are fictional if $4 is true (route-call.rules.ts), by
 * consent if $5 is true.
 */
const groupLeads = statement<GroupRow>(
  'forecast_groups',
  `with contacts as (
     select s.parent_id, count(*) as contacts from leads s
     where s.campaign_id = $1 and s.parent_id is not null and s.status = 'created' and not exists (
       select 1 from do_not_call d where d.user_id = s.user_id and d.phone_number = s.phone_number)
       and (not $5 or exists (select 1 from consents o
         where o.user_id = s.user_id and o.phone_number = s.phone_number))
     group by s.parent_id
   ), waiting as (
     select q.attempt as round, date_trunc('minute', greatest(q.ready_at, $2)) as ready_at,
       case when t.parent_id is null then 0 else (
         select count(*) from leads s where s.parent_id = t.parent_id and s.id <= t.id) end as turn,
       coalesce(c.contacts, 0) as contacts, d.phone_number is not null as is_forbidden,
       not $5 or o.phone_number is not null as has_consent, m.phone_number
     from dial_queue q
     join leads t on t.id = q.lead_id
     join leads m on m.id = coalesce(t.parent_id, t.id)
     left join contacts c on c.parent_id = m.id
     left join do_not_call d on d.user_id = m.user_id and d.phone_number = m.phone_number
     left join consents o on o.user_id = m.user_id and o.phone_number = m.phone_number
     where q.campaign_id = $1
   )
   select count(*) as leads, round, ready_at, turn, contacts, is_forbidden, has_consent, min(phone_number) as phone_number
   from waiting
   group by round, ready_at, turn, contacts, is_forbidden, has_consent,
     case when $3 then ${PREFIX} end,
     case when $4 then phone_number ~ '^\\+1[2-9]\\d{2}55501\\d{2}$' end`,
);
const countBlocked = statement<{ reason: string; leads: number }>(
  'forecast_blocked',
  `select coalesce(dial_reason, 'do_not_call') as reason, count(*) as leads from leads
   where campaign_id = $1 and parent_id is null and status = 'created' and dial_state = 'blocked' group by 1`,
);
/** The concurrent call limit of the account. */
export const selectAccountLimit = statement<{ maxCalls: number }>(
  'account_limit',
  `select max_calls from users where id = $1`,
);

/** The newest calls of the account; only these, so that the time of a forecast does not depend on the number of calls. */
const selectPricedCalls = statement<PricedCall>(
  'forecast_priced_calls',
  `select duration_seconds, total_cost, costs from (
     select assistant_id, duration_seconds, total_cost, costs from calls
     where user_id = $1 order by created_at desc, id desc limit 500) recent
   where assistant_id = $2 and duration_seconds > 0`,
);

/** Later starts are refused; dates far beyond cannot be computed. */
const LATEST_START_MS = Date.UTC(2100, 0);

/** @throws DomainError `not-found`, also for another user's campaign; `invalid` for a start after 2099 */
export async function forecastCampaign(
  ctx: CoreContext,
  identity: Identity,
  question: ForecastQuestion & { id: number },
): Promise<CampaignForecast> {
  await findCampaign(ctx, identity, question.id);
  const startAt = startOf(question, now(ctx));
  const { campaign, groups, routeOptions, blocked, accountLimit, longestSeconds, pricedCalls } =
    await ctx.db.transaction((tx) => load(tx, question.id, startAt));
  const limits = tightestLimit(campaign, routeOptions, accountLimit);
  const flight = flyCampaign({
    campaign: { ...campaign, status: 'in-progress' },
    groups,
    callsAtOnce: limits.callsAtOnce,
    callsPerSecond: limits.callsPerSecond,
    answerRate: question.answer_rate,
    durationSeconds: question.average_duration_seconds,
    ringSeconds: question.ring_seconds,
    startAt,
  });
  const leads = groups.reduce((sum, group) => sum + group.leads, 0);
  const never = [...flight.never.values()].reduce((sum, count) => sum + count, 0);
  const cost = forecastCost(pricedCalls, {
    reached: flight.reached,
    durationSeconds: question.average_duration_seconds,
    people: Math.max(0, leads - never),
    longestSeconds,
  });
  return forecastRecord(flight, { campaignId: campaign.id, startAt, leads, blocked, limits, cost });
}

/** Reads the input of a forecast without locks. */
async function load(tx: Tx, campaignId: number, startAt: Date) {
  const campaign = await readCampaign(tx, campaignId);
  if (!campaign) throw campaignNotFound();
  const routeOptions = await loadRouteOptions(tx, campaign.userId);
  const configuration = await freezeConfiguration(tx, campaign);
  const hasOnlyFictionalReach = routeOptions.trunks.every(({ reach }) => reach === 'fictional');
  // On a trunk to a carrier the country decides whether a number may be dialed.
  const dependsOnCountry = campaign.isLeadTimezoneRespected || !hasOnlyFictionalReach;
  const { isConsentRequired } = campaign;
  const values = [campaignId, startAt, dependsOnCountry, hasOnlyFictionalReach, isConsentRequired];
  const rows = await tx.query(groupLeads, values);
  const input = { campaign, configuration, routeOptions, capacity: UNLIMITED_CAPACITY };
  const families = new Map<string, DialNumber[]>();
  const groups = rows.map((row) => groupOf(row, families, (number) => dialNumberOf(input, number)));
  const blocked = await tx.query(countBlocked, [campaignId]);
  const [account] = await tx.query(selectAccountLimit, [campaign.userId]);
  const pricedCalls = await tx.query(selectPricedCalls, [campaign.userId, campaign.assistantId]);
  return {
    campaign,
    groups,
    routeOptions,
    blocked,
    accountLimit: account?.maxCalls ?? Infinity,
    longestSeconds: configuration?.assistant.maxDurationSeconds ?? 0,
    pricedCalls,
  };
}

/** A forecast does not depend on the calls that are live at the moment. */
type NumberReader = (number: Parameters<typeof dialNumberOf>[1]) => DialNumber;

/** @param families - numbers of the groups before; groups with equal numbers share one array, which the queue compares */
function groupOf(row: GroupRow, families: Map<string, DialNumber[]>, read: NumberReader): LeadGroup {
  const first = read(numberOf(row));
  const key = JSON.stringify([
    row.contacts,
    row.isForbidden,
    row.hasConsent,
    first.zones,
    first.trunkHold?.reason,
    first.refusal,
  ]);
  const contacts = Array.from({ length: row.contacts }, (_, index) => ({
    ...first,
    leadId: index + 1,
    isForbidden: false,
    hasConsent: true,
  }));
  const numbers = families.get(key) ?? [first, ...contacts];
  families.set(key, numbers);
  const { leads, round, readyAt, turn } = row;
  return { leads, round, readyAtMs: readyAt.getTime(), turn: Math.min(turn, row.contacts), numbers };
}

/** One number represents its group; ids are positions within the lead. */
function numberOf(row: GroupRow): Parameters<typeof dialNumberOf>[1] {
  return {
    leadId: 0,
    parentId: null,
    campaignId: 0,
    phoneNumber: row.phoneNumber,
    status: 'created',
    isForbidden: row.isForbidden,
    hasConsent: row.hasConsent,
    isInCall: false,
    // Only the past calls of a single number would tell.
    attemptAllowedAt: null,
    variables: {},
  };
}

interface ForecastLimits {
  callsAtOnce: number;
  callsPerSecond: number | null;
  limitedBy: CampaignForecast['limited_by'];
}

/** The tightest limit of campaign, account and trunks. Test trunks count only if there are no others. */
export function tightestLimit(
  campaign: StoredCampaign,
  routeOptions: StoredRouteOptions,
  accountLimit: number,
): ForecastLimits {
  const real = routeOptions.trunks.filter(({ isTest }) => !isTest);
  const trunks = real.length > 0 ? real : routeOptions.trunks;
  const sum = (limits: (number | null)[]): number =>
    limits.reduce<number>((total, limit) => total + (limit ?? Infinity), 0);
  const trunkCalls = trunks.length > 0 ? sum(trunks.map(({ maxCalls }) => maxCalls)) : Infinity;
  const perSecond = trunks.length > 0 ? sum(trunks.map(({ maxCps }) => maxCps)) : Infinity;
  const callsAtOnce = Math.min(campaign.maxCallsInParallel, accountLimit, trunkCalls);
  const limitedBy =
    callsAtOnce === campaign.maxCallsInParallel
      ? 'calls_in_parallel'
      : callsAtOnce === accountLimit
        ? 'account_calls'
        : 'trunk_calls';
  return { callsAtOnce, callsPerSecond: perSecond === Infinity ? null : perSecond, limitedBy };
}

function forecastRecord(
  flight: Flight,
  about: {
    campaignId: number;
    startAt: Date;
    leads: number;
    blocked: readonly { reason: string; leads: number }[];
    limits: ForecastLimits;
    cost: ForecastCost;
  },
): CampaignForecast {
  const { limits, blocked } = about;
  const never = new Map<string, number>(flight.never);
  for (const { reason, leads } of blocked) never.set(reason, (never.get(reason) ?? 0) + leads);
  return {
    campaign_id: about.campaignId,
    start_at: isoMicroseconds(about.startAt),
    finish_at: flight.finishAt && isoMicroseconds(flight.finishAt),
    leads: about.leads,
    calls: flight.calls,
    reached: flight.reached,
    reached_max_retries: flight.reachedMaxRetries,
    expected_cost: about.cost.expected,
    highest_cost: about.cost.highest,
    unreachable: [...never].map(([reason, leads]) => ({
      reason,
      explanation: explainReason(reason as Parameters<typeof explainReason>[0]),
      leads,
    })),
    calls_at_once: limits.callsAtOnce,
    limited_by: limits.limitedBy,
    bucket_seconds: flight.bucketSeconds,
    buckets: [...flight.buckets]
      .toSorted(([a], [b]) => a - b)
      .map(([atMs, counts]) => ({ at: isoMicroseconds(new Date(atMs)), ...counts })),
  };
}

/** A start in the past means now. */
function startOf({ start_at: wished }: ForecastQuestion, at: Date): Date {
  const startAt = wished === undefined ? at : new Date(wished);
  if (!(startAt.getTime() < LATEST_START_MS))
    throw new DomainError('invalid', errorText.invalidData, {
      fields: fieldFault('start_at', wording.format),
    });
  return startAt > at ? startAt : at;
}
