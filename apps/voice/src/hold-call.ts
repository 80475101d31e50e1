/** Answers a leg that came to us (from a line or a browser) and holds its call to the last stored fact. */
import { CallSession, type CallSessionOptions } from './call-session.ts';

/** Resolves when the end of the call is stored. */
export async function holdCall(options: CallSessionOptions): Promise<void> {
  const { voice, call, leg } = options;
  const session = new CallSession(options);
  const entry = { callId: call.callId, state: () => session.state(), hangUp: session.hangUp.bind(session) };
  voice.calls.add(entry);
  session.start();
  await leg.answer();
  await session.finished;
  voice.calls.remove(entry);
}
