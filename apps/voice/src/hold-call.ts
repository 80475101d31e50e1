/** Answers a leg that came to us (from a line or a browser) and holds its call to the last stored fact. */
import { recordCallEvent } from '@parley/core';
import type { HangUpRequest } from './call-end.rules.ts';
import { CallSession, type CallSessionOptions } from './call-session.ts';
import { openServers } from './tools/mcp/mcp-toolbox.ts';

/** A call that came to us; what it needs of speech is found here. */
interface IncomingCallOptions extends Omit<CallSessionOptions, 'engines' | 'servers'> {
  /** Its end was asked for before it had a session. */
  requested?: HangUpRequest | null;
}

/**
 * Resolves when the end of the call is stored.
 *
 * @throws SpeechError when its assistant names a voice or model that cannot be had; the record then says that it failed
 */
export async function holdCall(options: IncomingCallOptions): Promise<void> {
  const { voice, call, leg, requested } = options;
  const session = await openSession(options);
  const entry = { callId: call.callId, state: () => session.state(), hangUp: session.hangUp.bind(session) };
  voice.calls.add(entry);
  session.start();
  if (requested) session.hangUp(requested);
  await leg.answer();
  await session.finished;
  voice.calls.remove(entry);
}

async function openSession(options: IncomingCallOptions): Promise<CallSession> {
  const { voice, call } = options;
  try {
    const servers = await openServers(voice, call);
    return new CallSession({ ...options, servers, engines: voice.engines.forCall(call) });
  } catch (error) {
    await recordCallEvent(voice.core, {
      callId: call.callId,
      event: 'failed',
      at: new Date(voice.core.clock.now()),
      detail: { reason: 'internal_error' },
      fence: voice.lease.fence(),
    });
    throw error;
  }
}
