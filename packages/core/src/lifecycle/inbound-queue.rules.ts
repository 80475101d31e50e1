/**
 * What happens to a call to a number with a queue, and whose turn it is. Callers wait in the order of their arrival. See
 * docs/decisions/inbound-queues.md.
 */
import type { StoredQueue, StoredRouteAction } from '@parley/db';

/** The calls of a number at one moment. */
export interface QueueLoad {
  /** Calls that do not wait. */
  talking: number;
  waiting: number;
}

/** `enter`: the caller waits; `overflow`: the queue is full. */
export type Arrival = 'connect' | 'enter' | 'overflow';

/** Only calls that an assistant or a choice by key answers wait. */
export function mayWait({ type }: StoredRouteAction): boolean {
  return type === 'assistant' || type === 'menu';
}

/** What the voice process has for a call that arrives. */
export interface FreeCapacity {
  /** A free slot for a conversation. */
  hasSlot: boolean;
  /** A free slot for a caller who waits. */
  hasQueueSlot: boolean;
}

/** Callers who wait come before a new caller. */
export function decideArrival(
  { maxCalls, maxWaiting }: Pick<StoredQueue, 'maxCalls' | 'maxWaiting'>,
  { talking, waiting }: QueueLoad,
  { hasSlot, hasQueueSlot }: FreeCapacity,
): Arrival {
  if (waiting === 0 && talking < maxCalls && hasSlot) return 'connect';
  return hasQueueSlot && waiting < maxWaiting ? 'enter' : 'overflow';
}

/** A waiting call. */
export interface QueuePosition {
  /** Calls that do not wait. */
  talking: number;
  /** Calls that came earlier, wait, and could be connected. */
  ahead: number;
}

/**
 * Whether it is the turn of a call.
 *
 * @param queue - as it is now; null: it was removed, and no caller has to wait any more
 */
export function isNext(
  queue: Pick<StoredQueue, 'maxCalls'> | null,
  { talking, ahead }: QueuePosition,
): boolean {
  return queue === null || talking + ahead < queue.maxCalls;
}
