/**
 * Locks a call for a change of its state. All changes of calls use this function, so that locks are always taken in the
 * same order: the live row, then the history row.
 */
import type { EndReason } from '@parley/contracts';
import { sendTogether, statement, type CallRow, type LiveCallRow, type Tx } from '@parley/db';
import { FencedError } from '../shared/domain-error.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import type { CallConfiguration } from './call-configuration.ts';

/** The history row, with its configuration under its type. */
export type StoredCall = Omit<CallRow, 'configuration' | 'endedReason'> & {
  configuration: CallConfiguration;
  endedReason: EndReason | null;
};

/** The live row, with the reason of a requested hang-up under its type. */
export type StoredLiveCall = Omit<LiveCallRow, 'hangUpReason'> & { hangUpReason: EndReason | null };

/** A call that is locked until the transaction ends. */
export interface LockedCall {
  call: StoredCall;
  /** Null after the hang-up. */
  live: StoredLiveCall | null;
}

const lockLiveCall = statement<StoredLiveCall>(
  'lock_live_call',
  `select * from live_calls where call_id = $1 for update`,
);
/** Statements that are sent after the lock of the live row. */
const lockLiveHistory = statement<StoredCall>(
  'lock_live_history',
  `select * from calls
   where id = $1 and created_at = (select call_created_at from live_calls where call_id = $1) for update`,
);
const lockHistory = statement<StoredCall>(
  'lock_call',
  `select * from calls where id = $1 and created_at = $2 for update`,
);
const findCreatedAt = statement<{ createdAt: Date }>(
  'call_created_at',
  `select created_at from calls where id = $1`,
);

/** @returns null when there is no such call */
export async function lockCall(tx: Tx, callId: number): Promise<LockedCall | null> {
  const [[live], [liveCall]] = await sendTogether(tx, [
    (tx) => tx.query(lockLiveCall, [callId]),
    (tx) => tx.query(lockLiveHistory, [callId]),
  ]);
  if (live && liveCall) return { call: liveCall, live };
  const [found] = await tx.query(findCreatedAt, [callId]);
  if (!found) return null;
  const [call] = await tx.query(lockHistory, [callId, found.createdAt]);
  return call ? { call, live: null } : null;
}

/**
 * Refuses writes of a process that no longer owns the call. After the end of the call the state table ignores late
 * events.
 *
 * @throws FencedError
 */
export function checkFence(locked: LockedCall, fence: VoiceFence | undefined): void {
  if (!fence || !locked.live) return;
  if (locked.live.voiceProcessId !== fence.processId) throw new FencedError(locked.call.id);
}
