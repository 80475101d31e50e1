/** An inbound call: core decides whether it is accepted, its owner's server is asked, and it is answered. */
import { acceptInboundCall } from '@parley/core';
import type { CallLeg } from '@parley/telephony';
import { askOwner } from './ask-owner.ts';
import { holdCall } from './hold-call.ts';
import type { VoiceContext } from './voice-context.ts';

/** The process is full: the caller may try again later or elsewhere (RFC 3261 section 21.5.4). */
const SERVICE_UNAVAILABLE = 503;

/** Answers or rejects one inbound leg. Never rejects. */
export async function takeInboundCall(
  voice: VoiceContext,
  leg: CallLeg,
  sourceAddress: string,
): Promise<void> {
  try {
    if (!voice.calls.hasFreeSlot() || !voice.lease.isRegistered()) return leg.reject(SERVICE_UNAVAILABLE);
    const { to, from, id: sipCallId } = leg;
    const fence = voice.lease.fence();
    const result = await acceptInboundCall(voice.core, {
      to,
      from,
      sipCallId,
      sourceAddress,
      voiceProcess: fence,
    });
    if ('reject' in result) return leg.reject(result.reject);
    leg.ring();
    await holdCall({ voice, fence, ...(await askOwner(voice, result.call, leg)) });
  } catch (error) {
    voice.core.log.error({ err: error }, 'An inbound call could not be accepted');
    leg.reject(SERVICE_UNAVAILABLE);
  }
}
