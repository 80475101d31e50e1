/**
 * A user's calls of the last days: numbers, talk time and cost by day and outcome, and the silence before replies by day.
 * Days are in the user's time zone.
 */
import { localDateTime, type CallOutcome, type CallsOfDay, type SilenceOfDay } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

interface DayRow {
  day: string;
  outcome: CallOutcome | null;
  calls: number;
  outbound: number;
  answered: number;
  talkSeconds: number;
  cost: number;
}

const selectDays = statement<DayRow>(
  'count_calls_by_day',
  `select to_char(created_at at time zone $2, 'YYYY-MM-DD') as day,
     parley_call_outcome(status, ended_reason, answered_by) as outcome, count(*)::int as calls,
     (count(*) filter (where type = 'outbound'))::int as outbound,
     (count(*) filter (where type = 'outbound' and answered_at is not null))::int as answered,
     sum(duration_seconds)::float8 as talk_seconds, sum(total_cost)::float8 as cost
   from calls where user_id = $1 and created_at >= $3::date::timestamp at time zone $2
     and ($4::bigint is null or campaign_id = $4)
   group by 1, 2 order by 1, 2`,
);

/** Turns are large: of a busy day only so many calls are read, the newest. */
const MEASURED_CALLS = 100;

const selectSilence = statement<SilenceRow>(
  'silence_by_day',
  `select to_char(days.day, 'YYYY-MM-DD') as day, count(*)::int as replies,
     percentile_cont(0.5) within group (order by replies.silence_ms) as median_ms,
     percentile_cont(0.95) within group (order by replies.silence_ms) as p95_ms
   from generate_series($3::date::timestamp, $4::date::timestamp, interval '1 day') as days(day)
   cross join lateral (
     select turns from calls where user_id = $1 and created_at >= days.day at time zone $2
       and created_at < (days.day + interval '1 day') at time zone $2 and answered_at is not null
       and ($5::bigint is null or campaign_id = $5)
     order by created_at desc limit ${MEASURED_CALLS}) as measured
   cross join lateral (
     select (turn->'latencyMs'->>'silence')::float8 as silence_ms from jsonb_array_elements(measured.turns) as turn
     where turn->'latencyMs' ? 'silence') as replies
   group by 1 order by 1`,
);

interface SilenceRow {
  day: string;
  replies: number;
  medianMs: number;
  p95Ms: number;
}

/** Which calls. */
export interface DayQuestion {
  /** How many days, including today. */
  days: number;
  /** Counts only the calls of this campaign. */
  campaignId?: number | undefined;
}

const DAY_MS = 86_400_000;

function periodOf(ctx: CoreContext, timezone: string, days: number): { from: string; until: string } {
  const until = localDateTime(new Date(ctx.clock.now()), timezone).slice(0, 10);
  return { from: new Date(Date.parse(until) - (days - 1) * DAY_MS).toISOString().slice(0, 10), until };
}

/**
 * Live calls are left out.
 *
 * @returns the first and the last day, and what happened on each day with calls
 */
export async function countCallsByDay(
  ctx: CoreContext,
  { userId, timezone }: Identity,
  { days, campaignId }: DayQuestion,
): Promise<{ from: string; until: string; days: CallsOfDay[] }> {
  const { from, until } = periodOf(ctx, timezone, days);
  const rows = await ctx.db.query(selectDays, [userId, timezone, from, campaignId ?? null]);
  return { from, until, days: rows.flatMap(({ outcome, ...row }) => (outcome ? [dayOf(row, outcome)] : [])) };
}

/** How long customers waited for replies, on each day with measured replies. */
export async function measureSilenceByDay(
  ctx: CoreContext,
  { userId, timezone }: Identity,
  { days, campaignId }: DayQuestion,
): Promise<SilenceOfDay[]> {
  const { from, until } = periodOf(ctx, timezone, days);
  const rows = await ctx.db.query(selectSilence, [userId, timezone, from, until, campaignId ?? null]);
  return rows.map(({ day, replies, medianMs, p95Ms }) => ({
    day,
    replies,
    median_ms: Math.round(medianMs),
    p95_ms: Math.round(p95Ms),
  }));
}

function dayOf({ talkSeconds, ...row }: Omit<DayRow, 'outcome'>, outcome: CallOutcome): CallsOfDay {
  return { ...row, outcome, talk_seconds: talkSeconds };
}
