/** Selects the voice process that places a call, and stores this intent before the call is handed over. */
import type { EndReason } from '@parley/contracts';
import { statement, type LiveCallRow, type Transaction, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { pickVoiceProcess, type VoiceProcessAddress } from '../capacity/lease.ts';
import { applyCallEvent } from './apply-call-event.ts';
import { decideHandOver, type DialSituation } from './dial-intent.rules.ts';
import { lockCall, type LockedCall } from '../calls/lock-call.ts';

/** What the job `dial_call` has to do. */
export type DialPlan =
  /** The job is done. */
  | { do: 'nothing'; why: string }
  /** `PUT /internal/calls/{id}` at this process. Taken: done. 409 or 503: {@link releaseIntent}, and again soon. */
  | { do: 'hand-over'; callId: number; createdAt: Date; process: VoiceProcessAddress }
  /** All processes are at capacity: try again soon. After two minutes the call fails. */
  | { do: 'wait'; why: string };

interface PlannedDial extends Pick<
  LiveCallRow,
  'callId' | 'createdAt' | 'voiceProcessId' | 'inviteSentAt' | 'hangUpRequestedAt'
> {
  callCreatedAt: Date;
  url: string | null;
  isLeased: boolean;
}

const selectPlanned = statement<PlannedDial>(
  'planned_dial',
  `select l.call_id, l.call_created_at, l.created_at, l.voice_process_id, l.invite_sent_at, l.hang_up_requested_at,
     p.url, coalesce(p.lease_until > now(), false) as is_leased
   from live_calls l left join voice_processes p on p.id = l.voice_process_id
   where l.call_id = $1 and l.type = 'outbound'`,
);
const findProcess = statement<VoiceProcessAddress & { isLeased: boolean }>(
  'process_of_intent',
  `select id, url, lease_until > now() as is_leased from voice_processes where id = $1`,
);
const writeIntent = statement(
  'write_intent',
  `update live_calls set voice_process_id = $2, intent_at = $3 where call_id = $1`,
);
const takeIntentBack = statement(
  'release_intent',
  `update live_calls set voice_process_id = null, intent_at = null
   where call_id = $1 and voice_process_id = $2 and invite_sent_at is null`,
);

/** Safe to repeat and to run twice at once. */
export async function planDial(ctx: CoreContext, callId: number): Promise<DialPlan> {
  return (await readPlan(ctx, callId)) ?? writePlan(ctx, callId);
}

/**
 * The claim has written the intent already, so there is mostly nothing to be locked: handing over twice is harmless.
 *
 * @returns null when something has to be written down first
 */
async function readPlan(ctx: CoreContext, callId: number): Promise<DialPlan | null> {
  const [live] = await ctx.db.query(selectPlanned, [callId]);
  if (!live) return { do: 'nothing', why: 'The call is over' };
  const { voiceProcessId: id, url, callCreatedAt: createdAt } = live;
  const process = id !== null && url !== null ? { id, url } : null;
  const decision = decideHandOver(situationOf(ctx, live, process && { ...process, isLeased: live.isLeased }));
  return decision === 'hand-over' && process ? { do: 'hand-over', callId, createdAt, process } : null;
}

function writePlan(ctx: CoreContext, callId: number): Promise<DialPlan> {
  return ctx.db.transaction(async (tx) => {
    const locked = await lockCall(tx, callId);
    if (!locked?.live || locked.live.type !== 'outbound') return { do: 'nothing', why: 'The call is over' };
    const process = await processOf(tx, locked.live);
    switch (decideHandOver(situationOf(ctx, locked.live, process))) {
      case 'leave':
        return { do: 'nothing', why: 'A voice process holds the call' };
      case 'fail-lost':
        return fail(ctx, tx, locked, 'process_lost');
      case 'fail-cancelled':
        return fail(ctx, tx, locked, locked.live.hangUpReason ?? 'cancelled');
      case 'fail-waited':
        return fail(ctx, tx, locked, 'no_capacity');
      case 'hand-over':
        return process ? handOver(locked, process) : { do: 'nothing', why: 'The voice process is gone' };
      case 'assign':
        return assign(ctx, tx, locked);
    }
  });
}

/** A voice process would not take the call (409 or 503): it is free for another, unless the INVITE has left meanwhile. */
export async function releaseIntent(ctx: CoreContext, callId: number, processId: string): Promise<void> {
  await ctx.db.query(takeIntentBack, [callId, processId]);
}

type KnownProcess = VoiceProcessAddress & { isLeased: boolean };

async function processOf(tx: Tx, live: LiveCallRow): Promise<KnownProcess | null> {
  if (live.voiceProcessId === null) return null;
  const [process] = await tx.query(findProcess, [live.voiceProcessId]);
  return process ?? null;
}

function situationOf(
  ctx: CoreContext,
  live: Pick<LiveCallRow, 'createdAt' | 'voiceProcessId' | 'inviteSentAt' | 'hangUpRequestedAt'>,
  process: KnownProcess | null,
): DialSituation {
  return {
    isHangUpRequested: live.hangUpRequestedAt !== null,
    hasIntent: live.voiceProcessId !== null,
    isSent: live.inviteSentAt !== null,
    process: process === null ? 'gone' : process.isLeased ? 'alive' : 'silent',
    waitedMs: ctx.clock.now() - live.createdAt.getTime(),
  };
}

async function assign(ctx: CoreContext, tx: Tx, locked: LockedCall): Promise<DialPlan> {
  const process = await pickVoiceProcess(tx, { canWait: true });
  if (!process) return { do: 'wait', why: 'All voice processes are at capacity' };
  await tx.query(writeIntent, [locked.call.id, process.id, now(ctx)]);
  return handOver(locked, process);
}

function handOver({ call }: LockedCall, { id, url }: VoiceProcessAddress): DialPlan {
  return { do: 'hand-over', callId: call.id, createdAt: call.createdAt, process: { id, url } };
}

async function fail(
  ctx: CoreContext,
  tx: Transaction,
  locked: LockedCall,
  reason: EndReason,
): Promise<DialPlan> {
  await applyCallEvent(ctx, tx, locked, { event: 'failed', at: now(ctx), detail: { reason } });
  return { do: 'nothing', why: reason };
}
