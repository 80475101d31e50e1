/** An inbound call: core decides whether it is accepted, its owner's server is asked, and it is answered. */
import { acceptInboundCall, countInboundRefusal, type InboundRefusalReason } from '@parley/core';
import type { CallLeg, IncomingInfo } from '@parley/telephony';
import { askOwner } from './ask-owner.ts';
import { holdCall } from './hold-call.ts';
import type { SlotReservation } from './live-calls.ts';
import type { VoiceContext } from './voice-context.ts';

/** The process is full: the caller may try again later or elsewhere (RFC 3261 section 21.5.4). */
const SERVICE_UNAVAILABLE = 503;

const NOT_FOUND = 404;

/** Answers or rejects one inbound leg. Never rejects. */
export async function takeInboundCall(voice: VoiceContext, leg: CallLeg, info: IncomingInfo): Promise<void> {
  const slot = voice.calls.reserve();
  try {
    const isRegistered = voice.lease.isRegistered();
    if (!slot || !isRegistered) {
      const reason = isRegistered ? 'full' : 'not_ready';
      return refuse(voice, { leg, info, sipStatus: SERVICE_UNAVAILABLE, reason });
    }
    await accept(voice, { leg, info, slot });
  } catch (error) {
    voice.core.log.error({ err: error }, 'An inbound call could not be accepted');
    refuse(voice, { leg, info, sipStatus: SERVICE_UNAVAILABLE, reason: 'error' });
  } finally {
    slot?.release();
  }
}

async function accept(
  voice: VoiceContext,
  { leg, info, slot }: { leg: CallLeg; info: IncomingInfo; slot: SlotReservation },
): Promise<void> {
  const { to, from, id: sipCallId } = leg;
  const fence = voice.lease.fence();
  const about = { to, from, sipCallId, ...info, voiceProcess: fence };
  const result = await acceptInboundCall(voice.core, about);
  if ('reject' in result) {
    refuse(voice, { leg, info, sipStatus: result.reject, reason: result.reason });
    if (result.reject === NOT_FOUND && !(await voice.trunkAddresses.includes(info.sourceAddress)))
      voice.line.countStranger(info.sourceAddress);
    return;
  }
  slot.callId = result.call.callId;
  leg.ring();
  await holdCall({ voice, fence, ...(await askOwner(voice, result.call, leg)) });
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
