/** Counts calls by status over all users, for monitoring. */
import type { CallOutcome, CallStatus, CallType } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

/** Calls of one type and status. */
export interface CallCount {
  type: CallType;
  status: CallStatus;
  count: number;
}

/** With the outcome of calls that have ended; null for the others. */
interface RecentCallCount extends CallCount {
  outcome: CallOutcome | null;
}

/** The counts at one moment. */
export interface CallCounts {
  /** From the dial to the hang-up. */
  live: CallCount[];
  /** Calls that changed within {@link RECENT_SECONDS}, by present status and outcome. */
  recent: RecentCallCount[];
}

/** The period of the recent counts, seconds. */
export const RECENT_SECONDS = 300;

const countLive = statement<CallCount>(
  'count_live_calls',
  `select c.type, c.status, count(*)::int as count
   from live_calls l join calls c on c.id = l.call_id and c.created_at = l.call_created_at
   group by c.type, c.status`,
);

/**
 * One query per user, because the index on changes is ordered by user. On the clock of the database, which stamps
 * changes.
 */
const countRecent = statement<RecentCallCount>(
  'count_recent_calls',
  `select recent.type, recent.status, recent.outcome, sum(recent.count)::int as count
   from users u, lateral (
     select c.type, c.status, parley_call_outcome(c.status, c.ended_reason, c.answered_by) as outcome, count(*) as count
     from calls c
     where c.user_id = u.id and c.changed_at >= clock_timestamp() - make_interval(secs => $1) group by 1, 2, 3
   ) recent
   group by recent.type, recent.status, recent.outcome`,
);

/** Two short queries whose cost does not depend on the number of past calls. */
export async function countCalls(ctx: CoreContext): Promise<CallCounts> {
  const [live, recent] = await Promise.all([
    ctx.db.query(countLive),
    ctx.db.query(countRecent, [RECENT_SECONDS]),
  ]);
  return { live, recent };
}
