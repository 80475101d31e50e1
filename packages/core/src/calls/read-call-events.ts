/**
 * The events of one call in the order of their numbers, for readers that follow it. Every writer of `call_events` holds the
 * lock of the call, so that an event with a lower number is never committed after one with a higher number. SQL, because
 * each open stream reads again after every change.
 */
import type { CallEvent, CallOutcome, CallStatus, CallTurn, ToolCall } from '@parley/contracts';
import { statement, type CallEventRow, type CallRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { outcomeOf, type EndedCall } from './call-outcome.rules.ts';
import { eventRecord, toolCallRecord, turnRecord } from './call-record.ts';
import { callPhase, isHangUp } from './call-state.rules.ts';

/** The key of a call in its partitioned tables. */
export interface CallKey {
  id: number;
  createdAt: Date;
}

/** One event of a call, as an event stream sends it. */
export type FollowedEvent =
  | { kind: 'event'; number: number; record: CallEvent }
  | { kind: 'turn'; record: CallTurn }
  | { kind: 'tool_call'; record: ToolCall };

/** How a call that is over has ended. */
export interface FollowedEnd {
  call_id: number;
  status: CallStatus;
  outcome: CallOutcome | null;
  ended_by: string | null;
  ended_reason: string | null;
}

/** The next events of a call. */
export interface CallEventsPage {
  events: FollowedEvent[];
  /** The number of the last event of the page, or that after which it was read. */
  last: number;
  /** True if the next page can be read at once. */
  hasMore: boolean;
  /** Null until the call is over and this page is its last one. */
  end: FollowedEnd | null;
}

/** Events in one page. */
const PAGE_EVENTS = 100;

const selectKey = statement<CallKey>(
  'find_call_key',
  `select id, created_at from calls where id = $1 and user_id = $2`,
);
type StateRow = EndedCall & Pick<CallRow, 'id' | 'endedBy'>;
const selectState = statement<StateRow>(
  'find_followed_call',
  `select id, status, answered_by, ended_by, ended_reason
   from calls where id = $1 and created_at = $2`,
);
const selectEvents = statement<Pick<CallEventRow, 'id' | 'at' | 'type' | 'detail'>>(
  'read_call_events',
  `select id, at, type, detail from call_events
   where call_id = $1 and call_created_at = $2 and id > $3 order by id limit ${PAGE_EVENTS}`,
);
const selectWords = statement<Pick<CallRow, 'turns' | 'toolCalls'>>(
  'read_call_words',
  `select turns, tool_calls from calls where id = $1 and created_at = $2`,
);
/** Positions in the given arrays. The subquery makes it one look into the index for each call. */
const selectUnread = statement<{ position: number }>(
  'calls_with_unread_events',
  `select w.position
   from unnest($1::bigint[], $2::timestamptz[], $3::bigint[]) with ordinality
     as w (call_id, created_at, last, position)
   where (select max(e.id) from call_events e
     where e.call_id = w.call_id and e.call_created_at = w.created_at) > w.last`,
);

/** @throws DomainError `not-found`, also for another user's call */
export async function findCallKey(ctx: CoreContext, identity: Identity, callId: number): Promise<CallKey> {
  const [key] = await ctx.db.query(selectKey, [callId, identity.userId]);
  if (!key) throw new DomainError('not-found', 'Call not found');
  return key;
}

/**
 * What was said and the uses of tools are stored with the hang-up; they come before its event.
 *
 * @param after - the number of the last event that was read; 0: none
 * @returns null when the call was removed
 */
export async function readCallEvents(
  ctx: CoreContext,
  { id, createdAt }: CallKey,
  after: number,
): Promise<CallEventsPage | null> {
  // In this order: the events of a call that is over are then complete.
  const [state] = await ctx.db.query(selectState, [id, createdAt]);
  if (!state) return null;
  const rows = await ctx.db.query(selectEvents, [id, createdAt, after]);
  const hangUp = rows.findIndex(({ type }) => isHangUp(type));
  const [words] = hangUp === -1 ? [] : await ctx.db.query(selectWords, [id, createdAt]);
  const events = rows.map((row): FollowedEvent => ({
    kind: 'event',
    number: row.id,
    record: eventRecord(row),
  }));
  if (words) events.splice(hangUp, 0, ...wordsInTime(words));
  const hasMore = rows.length === PAGE_EVENTS;
  const isOver = callPhase(state.status) === 'final' && !hasMore;
  return { events, last: rows.at(-1)?.id ?? after, hasMore, end: isOver ? endOf(state) : null };
}

/** @returns the calls that have events after the last one that was read */
export async function findUnread<Reader extends { call: CallKey; last: number }>(
  ctx: CoreContext,
  readers: readonly Reader[],
): Promise<Reader[]> {
  const found = await ctx.db.query(selectUnread, [
    readers.map(({ call }) => call.id),
    readers.map(({ call }) => call.createdAt.toISOString()),
    readers.map(({ last }) => last),
  ]);
  return found.flatMap(({ position }) => readers[position - 1] ?? []);
}

/** In the order in which they began. */
function wordsInTime({ turns, toolCalls }: Pick<CallRow, 'turns' | 'toolCalls'>): FollowedEvent[] {
  const said = turns.map((turn): FollowedEvent => ({ kind: 'turn', record: turnRecord(turn) }));
  const done = toolCalls.map((call): FollowedEvent => ({ kind: 'tool_call', record: toolCallRecord(call) }));
  return [...said, ...done].toSorted((one, other) => startOf(one) - startOf(other));
}

function startOf(event: FollowedEvent): number {
  return event.kind === 'event' ? 0 : event.record.start_ms;
}

function endOf(state: StateRow): FollowedEnd {
  const { id, status, endedBy, endedReason } = state;
  return { call_id: id, status, outcome: outcomeOf(state), ended_by: endedBy, ended_reason: endedReason };
}
