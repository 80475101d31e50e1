/**
 * Calls that carriers hold on their side and stream to us. The stream of an outbound call belongs to the leg that waits for it.
 * An inbound call was accepted by core already, when the carrier asked; its stream shows the ticket and becomes a leg, and from
 * there the call is handled like one that came over SIP.
 */
import { claimStream, type CallForVoice, type ClaimedStream } from '@parley/core';
import {
  CarrierStream,
  createCarrierLeg,
  telnyxProtocol,
  twilioProtocol,
  type CarrierStreamStart,
  type DialedCarrierLeg,
} from '@parley/telephony';
import type { WebSocket } from 'ws';
import { recordFailedCall } from './call-facts.ts';
import { holdAccepted } from './inbound-call.ts';
import type { VoiceContext } from './voice-context.ts';

/** Takes one stream. Never rejects. */
export async function takeStreamedCall(
  voice: VoiceContext,
  socket: WebSocket,
  carrier: 'twilio' | 'telnyx',
): Promise<void> {
  const protocol = carrier === 'telnyx' ? telnyxProtocol : twilioProtocol;
  const stream = new CarrierStream(socket, { clock: voice.core.clock, protocol });
  const start = await stream.started;
  if (!start) return;
  const dialed = findDialedLeg(voice, start);
  if (dialed) {
    if (!dialed.attach(stream, start)) stream.close('No call waits for this stream');
    return;
  }
  const slot = voice.calls.reserve();
  const queueSlot = voice.calls.reserveQueueSlot();
  try {
    const fence = voice.lease.fence();
    const { ticket = '' } = start.parameters;
    // Telnyx does not document that a stream names its call as the request for instructions did.
    const carrierCallId = carrier === 'telnyx' ? null : start.callSid;
    const claim = { ticket, carrierCallId, voiceProcess: fence };
    const claimed = voice.lease.isRegistered() ? await claimStream(voice.core, claim) : null;
    if (!claimed) return stream.close('The ticket is not valid');
    const { queue } = claimed;
    if (queue ? !queueSlot : !slot) {
      // Core counts the calls that were assigned to this process; it was faster than its count.
      await recordFailedCall({ core: voice.core, callId: claimed.call.callId, fence }, 'unavailable');
      return stream.close('No free slot');
    }
    const call = withPhoneSound(claimed.call);
    const leg = openLeg(voice, stream, { start, claimed });
    await holdAccepted(voice, { call, queue, leg, fence, slot, queueSlot });
  } catch (error) {
    voice.core.log.error({ err: error }, 'A streamed call could not be accepted');
  } finally {
    stream.close('The call is over');
    slot?.release();
    queueSlot?.release();
  }
}

/** The ticket of an outbound call begins with its id and a dot. The leg checks the rest. */
function findDialedLeg({ calls }: VoiceContext, { parameters }: CarrierStreamStart): DialedCarrierLeg | null {
  const [, callId] = /^(\d{1,15})\./.exec(parameters['ticket'] ?? '') ?? [];
  return callId === undefined ? null : (calls.find(Number(callId))?.dialedLeg?.() ?? null);
}

function openLeg(
  { core: { clock, log } }: VoiceContext,
  stream: CarrierStream,
  { start, claimed }: { start: CarrierStreamStart; claimed: ClaimedStream },
) {
  const { assistantPhoneNumber: to, clientPhoneNumber: from } = claimed.call;
  return createCarrierLeg(stream, { start, from, to, clock, log });
}

/** Streams are narrowband, whatever the trunk of the number allows for calls over SIP. */
function withPhoneSound(call: CallForVoice): CallForVoice {
  return { ...call, trunk: call.trunk && { ...call.trunk, codecs: [] } };
}
