/** An inbound call: core decides whether it is accepted, its owner's server is asked, and it is answered. */
import {
  acceptInboundCall,
  countInboundRefusal,
  type CallForVoice,
  type InboundRefusalReason,
  type VoiceFence,
} from '@parley/core';
import type { StoredQueue } from '@parley/db';
import type { CallLeg, IncomingInfo } from '@parley/telephony';
import { askOwner } from './ask-owner.ts';
import { holdCall } from './hold-call.ts';
import type { SlotReservation, QueueSlot } from './live-calls.ts';
import { waitInQueue, type WaitingCaller } from './queue/wait-in-queue.ts';
import type { VoiceContext } from './voice-context.ts';

/** The process is full: the caller may try again later or elsewhere (RFC 3261 section 21.5.4). */
const SERVICE_UNAVAILABLE = 503;

const NOT_FOUND = 404;

/** Answers or rejects one inbound leg. Never rejects. */
export async function takeInboundCall(voice: VoiceContext, leg: CallLeg, info: IncomingInfo): Promise<void> {
  const slot = voice.calls.reserve();
  const queueSlot = voice.calls.reserveQueueSlot();
  try {
    const isRegistered = voice.lease.isRegistered();
    if ((!slot && !queueSlot) || !isRegistered) {
      const reason = isRegistered ? 'full' : 'not_ready';
      return refuse(voice, { leg, info, sipStatus: SERVICE_UNAVAILABLE, reason });
    }
    await accept(voice, { leg, info, slot, queueSlot });
  } catch (error) {
    voice.core.log.error({ err: error }, 'An inbound call could not be accepted');
    refuse(voice, { leg, info, sipStatus: SERVICE_UNAVAILABLE, reason: 'error' });
  } finally {
    slot?.release();
    queueSlot?.release();
  }
}

/** A call that has arrived, and what this process has for it: a slot for a conversation, and one for a caller who waits. */
interface Arrival {
  leg: CallLeg;
  info: IncomingInfo;
  slot: SlotReservation | null;
  queueSlot: QueueSlot | null;
}

async function accept(voice: VoiceContext, { leg, info, slot, queueSlot }: Arrival): Promise<void> {
  const { to, from, id: sipCallId } = leg;
  const fence = voice.lease.fence();
  const about = {
    to,
    from,
    sipCallId,
    ...info,
    voiceProcess: fence,
    capacity: { hasSlot: slot !== null, hasQueueSlot: queueSlot !== null },
  };
  const result = await acceptInboundCall(voice.core, about);
  if ('reject' in result) {
    refuse(voice, { leg, info, sipStatus: result.reject, reason: result.reason });
    // No source is banned on a guess.
    const isStranger = async (): Promise<boolean> =>
      !(await voice.trunkAddresses.includes(info.sourceAddress, { ifUnknown: true }));
    if (result.reject === NOT_FOUND && (await isStranger())) voice.endpoint.countStranger(info.sourceAddress);
    return;
  }
  leg.ring();
  await holdAccepted(voice, { ...result, leg, fence, slot, queueSlot });
}

/** A call that core has accepted. */
interface AcceptedCall extends Pick<Arrival, 'leg' | 'slot' | 'queueSlot'> {
  call: CallForVoice;
  /** Null: the caller does not wait. */
  queue: StoredQueue | null;
  fence: VoiceFence;
}

/** Lets the caller wait where that was decided, and then holds the call. */
export async function holdAccepted(
  voice: VoiceContext,
  { call, queue, leg, fence, slot, queueSlot }: AcceptedCall,
): Promise<void> {
  if (queue && queueSlot) {
    slot?.release();
    return holdAfterQueue(voice, { call, leg, queue, fence, queueSlot });
  }
  queueSlot?.release();
  if (slot) slot.callId = call.callId;
  await holdCall({ voice, fence, ...(await askOwner(voice, call, leg)) });
}

async function holdAfterQueue(voice: VoiceContext, caller: WaitingCaller): Promise<void> {
  const connected = await waitInQueue(voice, caller);
  if (!connected) return;
  const { call, leg, slot } = connected;
  try {
    await holdCall({ voice, fence: caller.fence, ...(await askOwner(voice, call, leg)) });
  } catch (error) {
    // It was answered when the wait began, so that it cannot be refused any more.
    await leg.hangUp();
    throw error;
  } finally {
    slot.release();
  }
}

/** Refuses a call, and says why in the log and in the count of its reason. */
function refuse(
  voice: VoiceContext,
  {
    leg,
    info,
    sipStatus,
    reason,
  }: { leg: CallLeg; info: IncomingInfo; sipStatus: number; reason: InboundRefusalReason },
): void {
  leg.reject(sipStatus);
  const pii = { to: leg.to, ...info };
  voice.core.log.info({ sipStatus, reason, pii }, 'An inbound call was refused');
  voice.background.start('count a refused inbound call', () => countInboundRefusal(voice.core, reason));
}
