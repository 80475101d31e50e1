/** Answers a leg that came to us, from a trunk or a browser, and holds its call until its last fact is stored. */
import type { VoiceFence } from '@parley/core';
import { recordFailedCall } from './call-facts.ts';
import type { HangUpRequest } from './call-end.rules.ts';
import type { CallSessionOptions } from './call-session-options.ts';
import type { LiveCall } from './live-calls.ts';
import { openSession } from './open-session.ts';
import { legSettings } from './trunk-address.ts';

/** A leg that arrived from outside; its engines are opened here. */
export interface IncomingCallOptions extends Omit<CallSessionOptions, 'engines' | 'servers'> {
  /** The lease under which core gave us the call. */
  fence: VoiceFence;
  /** A request to end the call from before it had a session. */
  requested?: HangUpRequest | null;
}

/**
 * Resolves when the end of the call is stored.
 *
 * @throws SpeechError when a voice or model of its assistant is unavailable; the call is then recorded as failed
 */
export async function holdCall(options: IncomingCallOptions): Promise<void> {
  const { voice, call, leg, fence, requested } = options;
  leg.allowCodecs?.(legSettings(call.trunk).codecs);
  const session = await openSession(options, () => leg).catch(async (error: unknown) => {
    await recordFailedCall({ core: voice.core, callId: call.callId, fence }, 'internal_error');
    throw error;
  });
  if (!session) return;
  const entry: LiveCall = {
    callId: call.callId,
    state: () => session.state(),
    hangUp: session.hangUp.bind(session),
    abandon: () => session.abandon(),
    supervision: () => session.supervision,
    transfer: session.transfer.bind(session),
  };
  voice.calls.add(entry);
  try {
    session.start();
    if (requested) session.hangUp(requested);
    else await leg.answer(legSettings(call.trunk));
  } catch (error) {
    session.fail(error);
  }
  await session.finished;
  voice.calls.remove(entry);
}
