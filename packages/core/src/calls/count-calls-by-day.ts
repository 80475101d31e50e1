/** A user's calls of the last days, by day and outcome: numbers, talk time and cost. Days are in the user's time zone. */
import { localDateTime, type CallOutcome, type CallsOfDay } from '@parley/contracts';
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
   group by 1, 2 order by 1, 2`,
);

const DAY_MS = 86_400_000;

/**
 * Live calls are left out.
 *
 * @param days - how many days, including today
 * @returns the first day, and what happened on each day with calls
 */
export async function countCallsByDay(
  ctx: CoreContext,
  { userId, timezone }: Identity,
  days: number,
): Promise<{ from: string; until: string; days: CallsOfDay[] }> {
  const until = localDateTime(new Date(ctx.clock.now()), timezone).slice(0, 10);
  const from = new Date(Date.parse(until) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const rows = await ctx.db.query(selectDays, [userId, timezone, from]);
  return { from, until, days: rows.flatMap(({ outcome, ...row }) => (outcome ? [dayOf(row, outcome)] : [])) };
}

function dayOf({ talkSeconds, ...row }: Omit<DayRow, 'outcome'>, outcome: CallOutcome): CallsOfDay {
  return { ...row, outcome, talk_seconds: talkSeconds };
}
