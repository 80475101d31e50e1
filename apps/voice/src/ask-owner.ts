/**
 * While an incoming call rings, its owner's server is told and may give variables for it. Whatever the server does, the
 * caller waits for three seconds at most; hanging up, on either side, ends the question at once.
 */
import { askInboundWebhook, type CallForVoice } from '@parley/core';
import type { CallLeg } from '@parley/telephony';
import type { HangUpRequest } from './call-end.rules.ts';
import type { VoiceContext } from './voice-context.ts';
import { watchLeg } from './watched-leg.ts';

/** How long an owner's server may keep a caller waiting, milliseconds. */
export const OWNER_LIMIT_MS = 3_000;

/** A call that can be answered now. */
export interface AskedCall {
  call: CallForVoice;
  leg: CallLeg;
  /** Somebody on our side asked for its end meanwhile. */
  requested: HangUpRequest | null;
}

/** Never throws: a question that fails leaves the call as it was. */
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
