/**
 * The calls of a lost voice process go to another one, which goes on with them. The lost process is fenced and its calls change
 * hands in one transaction, so that each call has exactly one holder. What cannot go on stays behind and ends in the sweep.
 * docs/decisions/surviving-calls.md
 */
import { statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import {
  LEASE_MS,
  registerVoiceProcess,
  type VoiceFence,
  type VoiceRegistration,
} from '../capacity/lease.ts';
import { pastFrozenProcesses } from '../capacity/past-frozen-processes.ts';

/** A call that now belongs to the process that asked. */
export interface TakenCall {
  callId: number;
  /** The lost process was last known to run at this time. */
  interruptedAt: Date;
}

/** The process that is lost, and the one that goes on. */
interface TakeOver {
  fence: VoiceFence;
  lostProcessId: string;
  /** When it ended, if its supervisor has seen that; null: it is lost only if its lease has run out. */
  endedAt: Date | null;
  /** The most calls to take. */
  limit: number;
}

/** A call that ends its process each time must not end one process after the other. */
const MOST_TAKE_OVERS = 3;
/** Added to the CSeq number: the lost process may have sent requests that it did not store. */
const SEQUENCE_MARGIN = 100;

const fenceLost = statement<{ leaseUntil: Date }>(
  'fence_lost_voice_process',
  `delete from voice_processes where id = $1 and ($2 or lease_until < now()) returning lease_until`,
);
const isRegistered = statement<{ id: string }>(
  'is_voice_process_registered',
  `select id from voice_processes where id = $1`,
);
/**
 * An answered call of one SIP leg, whose conversation is stored and whose end was not asked for. The row of a call that
 * changes hands at the same time is checked again after its lock.
 */
const takeCalls = statement<{ callId: number }>(
  'take_calls_over',
  `update live_calls
   set voice_process_id = $2, take_overs = take_overs + 1,
     dialog = jsonb_set(dialog, '{localSequence}', to_jsonb((dialog->>'localSequence')::bigint + ${SEQUENCE_MARGIN}))
   where voice_process_id = $1 and call_id in (
     select l.call_id from live_calls l join call_progress g on g.call_id = l.call_id
     where l.voice_process_id = $1 and l.type in ('inbound', 'outbound') and l.answered_at is not null
       and l.dialog is not null and l.dialog ? 'localSequence' and l.queued_at is null and l.bridged_call_id is null
       and l.hang_up_requested_at is null and l.take_overs < ${MOST_TAKE_OVERS}
       and g.progress @> '{"canGoOn": true}'
       and not exists (select 1 from live_calls b where b.bridged_call_id = l.call_id)
     order by l.call_id limit $3)
   returning call_id`,
);
const selectOthers = statement<{ callId: number }>(
  'calls_of_others',
  `select call_id from live_calls
   where call_id = any($1) and voice_process_id is distinct from $2`,
);

/** Several processes may ask at once, and repeatedly: each call goes to one of them. */
export async function takeOverCalls(ctx: CoreContext, takeOver: TakeOver): Promise<TakenCall[]> {
  const { fence, lostProcessId, endedAt, limit } = takeOver;
  if (limit <= 0 || lostProcessId === fence.processId) return [];
  return pastFrozenProcesses(ctx, async (tx) => {
    const [fenced] = await tx.query(fenceLost, [lostProcessId, endedAt !== null]);
    if (!fenced && (await tx.query(isRegistered, [lostProcessId])).length > 0) return [];
    const lastSeenAt = fenced ? new Date(fenced.leaseUntil.getTime() - LEASE_MS) : null;
    return moveCalls(tx, {
      fence,
      lostProcessId,
      limit,
      interruptedAt: endedAt ?? lastSeenAt ?? new Date(ctx.clock.now()),
    });
  });
}

/**
 * Registers a process, which goes on with the calls of the one that was registered at the same address.
 *
 * @returns its lease, and the calls that belong to it now
 */
export async function registerSuccessor(
  ctx: CoreContext,
  input: VoiceRegistration,
): Promise<{ fence: VoiceFence; taken: TakenCall[] }> {
  const taken: TakenCall[] = [];
  const fence = await registerVoiceProcess(ctx, input, async (tx, own, { id, lastSeenAt }) => {
    const about = { fence: own, lostProcessId: id, limit: input.capacity, interruptedAt: lastSeenAt };
    taken.push(...(await moveCalls(tx, about)));
  });
  return { fence, taken };
}

/** Within the transaction that has fenced the lost process. */
async function moveCalls(
  tx: Tx,
  {
    fence,
    lostProcessId,
    limit,
    interruptedAt,
  }: Pick<TakeOver, 'fence' | 'lostProcessId' | 'limit'> & { interruptedAt: Date },
): Promise<TakenCall[]> {
  if ((await tx.query(isRegistered, [fence.processId])).length === 0) return [];
  const taken = await tx.query(takeCalls, [lostProcessId, fence.processId, limit]);
  return taken.map(({ callId }) => ({ callId, interruptedAt }));
}

/** The live calls among these that no longer belong to that process: another process goes on with them. */
export async function findCallsOfOthers(
  ctx: CoreContext,
  callIds: readonly number[],
  fence: VoiceFence,
): Promise<number[]> {
  const others = await ctx.db.query(selectOthers, [callIds, fence.processId]);
  return others.map(({ callId }) => callId);
}
