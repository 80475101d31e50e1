/**
 * Stores the SIP trace of a call after its end. The trace is less important than everything else: to store it is tried a
 * few times, and then given up. A process that is killed loses it.
 */
import { storeSipTrace, type CallForVoice } from '@parley/core';
import { pause } from '@parley/runtime';
import type { CallLeg, MediaStats } from '@parley/telephony';
import type { VoiceContext } from './voice-context.ts';

const TRIES = 5;
const RETRY_MS = 2_000;

export function reportSipTrace(
  { core, endpoint, background }: Pick<VoiceContext, 'core' | 'endpoint' | 'background'>,
  about: { call: CallForVoice; leg: Pick<CallLeg, 'id'>; media: MediaStats | null },
): void {
  const { call, leg, media } = about;
  const { callId, trunk } = call;
  // Without a trunk, only operators may see the messages.
  const owner = { callId, trunkId: trunk?.id ?? null, isSharedTrunk: trunk?.isOperators ?? true };
  background.start('store a SIP trace', async () => {
    const trace = await endpoint.diagnostics.takeTrace(leg.id);
    if (!trace) return;
    const { messages, omitted } = trace;
    for (let triesLeft = TRIES; triesLeft > 0; triesLeft--) {
      try {
        return await storeSipTrace(core, { ...owner, messages, omitted, media });
      } catch (error) {
        core.log.warn({ err: error, callId, triesLeft }, 'A SIP trace could not be stored');
        if (triesLeft > 1) await pause(core.clock, RETRY_MS);
      }
    }
  });
}
