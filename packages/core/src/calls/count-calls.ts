/** Counts calls by status over all users, and adds up what went wrong in their conversations, for monitoring. */
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
  conversations: RecentConversations;
}

/** The conversations of calls that changed within {@link RECENT_SECONDS} and have ended. */
export interface RecentConversations {
  count: number;
  /** Turns of the customer without an answer. */
  unansweredTurns: number;
  /** Times that the assistant paused for speech that was no interruption. */
  falseInterruptions: number;
  /** Times that both sides spoke at once for a second or more. */
  timesTalkedOver: number;
  /** The longest of all; 0 without any. */
  longestSilenceSeconds: number;
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

/** `line_ended` carries the figures of `apps/voice/src/conversation-record.ts`. */
const measureRecent = statement<RecentConversations>(
  'recent_conversation_quality',
  `select count(*)::int as count, coalesce(sum((q->>'unanswered_turns')::int), 0)::int as unanswered_turns,
     coalesce(sum((q->>'false_interruptions')::int), 0)::int as false_interruptions,
     coalesce(sum((q->>'times_talked_over')::int), 0)::int as times_talked_over,
     coalesce(max((q->>'longest_silence_ms')::float8), 0) / 1000 as longest_silence_seconds
   from users u, lateral (
     select e.detail->'quality' as q
     from calls c join call_events e on e.call_id = c.id and e.call_created_at = c.created_at
     where c.user_id = u.id and c.changed_at >= clock_timestamp() - make_interval(secs => $1)
       and e.type = 'line_ended' and e.detail ? 'quality'
   ) recent`,
);

/** Three short queries whose cost does not depend on the number of past calls. */
export async function countCalls(ctx: CoreContext): Promise<CallCounts> {
  const [live, recent, [conversations]] = await Promise.all([
    ctx.db.query(countLive),
    ctx.db.query(countRecent, [RECENT_SECONDS]),
    ctx.db.query(measureRecent, [RECENT_SECONDS]),
  ]);
  if (!conversations) throw new Error('A sum has returned no row');
  return { live, recent, conversations };
}
