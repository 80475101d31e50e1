/**
 * The queue of a phone number. Its callers are the live calls with `queued_at`; their order is that column, then the id. A
 * call leaves the queue with its live row, so that a killed process leaves no caller behind: those of a lost process end in
 * the sweep. Who enters and who is connected is decided under an advisory lock of the number.
 */
import { json, statement, type StoredQueue, type StoredRoute, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { addCallEvent } from '../calls/call-events.ts';
import { loadCallForVoice, type CallForVoice } from '../calls/load-call-for-voice.ts';
import type { LockedCall } from '../calls/lock-call.ts';
import { DomainError } from '../shared/domain-error.ts';
import { freezeRouted } from './freeze-routed.ts';
import {
  decideArrival,
  isNext,
  type Arrival,
  type FreeCapacity,
  type QueueLoad,
  type QueuePosition,
} from './inbound-queue.rules.ts';
import { lockForWriter } from './record-call-event.ts';

/** A caller who waits. */
export interface QueuedCall {
  callId: number;
  fence: VoiceFence;
}

/** What a waiting call has become. */
export type QueueTurn = { isConnected: true } | { isConnected: false; position: number; isStalled: boolean };

interface PositionRow extends QueuePosition {
  /** From 1. */
  position: number;
  isQueueStalled: boolean;
  inboundRoute: StoredRoute | null;
}

const lockQueue = statement(
  'lock_inbound_queue',
  `select pg_advisory_xact_lock(hashtextextended('queue:' || $1::bigint, 0))`,
);
const countQueue = statement<QueueLoad>(
  'count_inbound_queue',
  `select (count(*) filter (where queued_at is null))::int as talking,
     (count(*) filter (where queued_at is not null))::int as waiting
   from live_calls where queue_number_id = $1`,
);
const enterQueue = statement(
  'enter_inbound_queue',
  `update live_calls set queue_number_id = $2, queued_at = $3 where call_id = $1`,
);
const selectPosition = statement<PositionRow>(
  'position_in_inbound_queue',
  `select o.talking, o.ahead, o.earlier + 1 as position, l.is_queue_stalled, n.inbound_route
   from live_calls l left join phone_numbers n on n.id = l.queue_number_id,
     lateral (
       select (count(*) filter (where queued_at is null))::int as talking,
         (count(*) filter (where (queued_at, call_id) < (l.queued_at, l.call_id)))::int as earlier,
         (count(*) filter (where (queued_at, call_id) < (l.queued_at, l.call_id) and not is_queue_stalled))::int as ahead
       from live_calls where queue_number_id = l.queue_number_id) o
   where l.call_id = $1 and l.queued_at is not null`,
);
const stall = statement(
  'stall_in_inbound_queue',
  `update live_calls set is_queue_stalled = $2 where call_id = $1`,
);
const leaveQueue = statement(
  'leave_inbound_queue',
  `update live_calls set queued_at = null, is_queue_stalled = false,
     queue_number_id = case when $2 then queue_number_id end
   where call_id = $1`,
);
const replaceConfiguration = statement(
  'replace_configuration',
  `update calls set configuration = $3, assistant_id = $4, assistant_name = $5 where id = $1 and created_at = $2`,
);

/** Under the lock of the queue, which lasts until the transaction ends. */
export async function decideInQueue(
  tx: Tx,
  { numberId, queue, capacity }: { numberId: number; queue: StoredQueue; capacity: FreeCapacity },
): Promise<Arrival> {
  await tx.query(lockQueue, [numberId]);
  const [load = { talking: 0, waiting: 0 }] = await tx.query(countQueue, [numberId]);
  return decideArrival(queue, load, capacity);
}

/** Counts a call among those of the queue. @param waitsSince - null: it talks */
export async function joinQueue(
  tx: Tx,
  about: { call: { id: number; createdAt: Date }; numberId: number; waitsSince: Date | null },
): Promise<void> {
  const { call, numberId, waitsSince } = about;
  await tx.query(enterQueue, [call.id, numberId, waitsSince]);
  if (!waitsSince) return;
  const [load] = await tx.query(countQueue, [numberId]);
  await addCallEvent(tx, call, { at: waitsSince, type: 'queued', detail: { position: load?.waiting ?? 1 } });
}

/**
 * Connects a waiting call if it is its turn; otherwise returns its position.
 *
 * @param takeSlot - asked when it is the turn of the call: whether the voice process has a slot for it. Without one, later
 *   callers may come first
 * @throws FencedError; DomainError `not-found` when the call has ended
 */
export async function takeTurn(
  ctx: CoreContext,
  { callId, fence, takeSlot }: QueuedCall & { takeSlot: () => boolean },
): Promise<QueueTurn> {
  const [waiting] = await ctx.db.query(selectPosition, [callId]);
  if (!waiting) throw new DomainError('not-found', 'The call does not wait.');
  const isTurn = isNext(queueOf(waiting), waiting);
  const hasSlot = isTurn && takeSlot();
  const isStalled = isTurn && !hasSlot;
  if (isStalled !== waiting.isQueueStalled) await ctx.db.query(stall, [callId, isStalled]);
  const waits = { isConnected: false, position: waiting.position, isStalled } as const;
  if (!hasSlot) return waits;
  return ctx.db.transaction(async (tx) => {
    const { call, live } = await lockForWriter(tx, { callId, fence });
    if (!live?.queuedAt || live.queueNumberId === null)
      throw new DomainError('not-found', 'The call does not wait.');
    await tx.query(lockQueue, [live.queueNumberId]);
    const [current] = await tx.query(selectPosition, [callId]);
    if (!current || !isNext(queueOf(current), current)) return waits;
    await tx.query(leaveQueue, [callId, true]);
    await addCallEvent(tx, call, leftQueue(ctx, live.queuedAt, 'connected'));
    return { isConnected: true };
  });
}

/**
 * Takes a call that has waited as long as its queue allows out of the queue.
 *
 * @returns the call as the overflow of the queue treats it; null where that refuses it, or its assistant is not active
 * @throws FencedError; DomainError `not-found` when the call has ended
 */
export async function giveUpWaiting(
  ctx: CoreContext,
  { callId, fence, overflow }: QueuedCall & { overflow: StoredQueue['overflow'] },
): Promise<CallForVoice | null> {
  const isAnswered = await ctx.db.transaction(async (tx) => {
    const locked = await lockForWriter(tx, { callId, fence });
    if (!locked.live?.queuedAt) throw new DomainError('not-found', 'The call does not wait.');
    await tx.query(leaveQueue, [callId, false]);
    await addCallEvent(tx, locked.call, leftQueue(ctx, locked.live.queuedAt, 'timed_out'));
    return answerByOverflow(tx, locked, overflow);
  });
  return isAnswered ? loadCallForVoice(ctx, callId) : null;
}

async function answerByOverflow(
  tx: Tx,
  { call }: LockedCall,
  overflow: StoredQueue['overflow'],
): Promise<boolean> {
  const configuration = await freezeRouted(tx, call.userId, overflow);
  if (!configuration) return false;
  const { id, name } = configuration.assistant;
  await tx.query(replaceConfiguration, [call.id, call.createdAt, json(configuration), id, name]);
  return true;
}

function queueOf({ inboundRoute }: PositionRow): StoredQueue | null {
  return inboundRoute?.queue ?? null;
}

function leftQueue(ctx: CoreContext, since: Date, outcome: 'connected' | 'timed_out') {
  const at = now(ctx);
  const waitedSeconds = Math.max(0, Math.round((at.getTime() - since.getTime()) / 1000));
  return { at, type: 'queue_left', detail: { outcome, waited_seconds: waitedSeconds } };
}
