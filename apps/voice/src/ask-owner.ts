/**
 * While an inbound call rings, the server of the assistant's owner receives a webhook and may supply variables. The caller
 * waits for at most three seconds; a hang-up on either side aborts the request at once.
 */
import { askInboundWebhook, type CallForVoice } from '@parley/core';
import type { CallLeg } from '@parley/telephony';
import type { HangUpRequest } from './call-end.rules.ts';
import type { VoiceContext } from './voice-context.ts';
import { watchLeg } from './watched-leg.ts';

/** How long the owner's server may delay the answer, milliseconds. */
export const OWNER_LIMIT_MS = 3_000;

/** A call that is ready to be answered. */
export interface AskedCall {
  call: CallForVoice;
  leg: CallLeg;
  /** A request of ours to end the call that arrived in the meantime. */
  requested: HangUpRequest | null;
}

/** Never rejects: after a failed request the call is answered unchanged. */
export async function askOwner(voice: VoiceContext, call: CallForVoice, leg: CallLeg): Promise<AskedCall> {
  if (call.assistant.inboundWebhookUrl === null) return { call, leg, requested: null };
  const watched = watchLeg(leg);
  const given = new AbortController();
  let requested: HangUpRequest | null = null;
  const entry = {
    callId: call.callId,
    state: () => 'opening',
    hangUp(request: HangUpRequest): void {
      requested ??= request;
      given.abort();
    },
  };
  voice.calls.add(entry);
  const signal = AbortSignal.any([watched.ended, given.signal]);
  const asked = await ask(voice, call, signal);
  voice.calls.remove(entry);
  return { call: asked, leg: watched.leg, requested };
}

async function ask(voice: VoiceContext, call: CallForVoice, signal: AbortSignal): Promise<CallForVoice> {
  const { core, lease, owners: client } = voice;
  try {
    return await askInboundWebhook(core, { call, fence: lease.fence(), client, signal });
  } catch (error) {
    core.log.error({ err: error, callId: call.callId }, 'The owner of a call could not be asked');
    return call;
  }
}
