/** A call that comes in: whose number is it, may it come, tell its owner, answer it. Enters the story of a call at its fifth step. */
import { acceptInboundCall } from '@parley/core';
import type { CallLeg } from '@parley/telephony';
import { askOwner } from './ask-owner.ts';
import { holdCall } from './hold-call.ts';
import type { VoiceContext } from './voice-context.ts';

/** SIP's answer to a caller for whom there is no room: try again elsewhere or later. */
const SERVICE_UNAVAILABLE = 503;

/** Answers or refuses one incoming leg. Never throws. */
export async function takeInboundCall(
  voice: VoiceContext,
  leg: CallLeg,
  sourceAddress: string,
): Promise<void> {
  try {
    if (!voice.calls.hasRoom() || !voice.lease.isRegistered()) return leg.reject(SERVICE_UNAVAILABLE);
    const { to, from, id: sipCallId } = leg;
    const voiceProcess = voice.lease.fence();
    const result = await acceptInboundCall(voice.core, { to, from, sipCallId, sourceAddress, voiceProcess });
    if ('reject' in result) return leg.reject(result.reject);
    leg.ring();
    await holdCall({ voice, ...(await askOwner(voice, result.call, leg)) });
  } catch (error) {
    voice.core.log.error({ err: error }, 'An incoming call could not be taken');
    leg.reject(SERVICE_UNAVAILABLE);
  }
}
