/** Whether a caller has left a message on a call that asked for one. */
import type { EndReason } from '@parley/contracts';
import type { StoredTurn } from '@parley/db';
import type { CallConfiguration } from './call-configuration.ts';

/**
 * The caller has spoken after the greeting. The recording of a lost process may contain a message,
 * and a report of silence is better than a message that is not reported.
 */
export function hasMessage(call: {
  configuration: Pick<CallConfiguration, 'answering'>;
  endedReason: EndReason | null;
  turns: readonly Pick<StoredTurn, 'sender' | 'endMs'>[];
}): boolean {
  if (call.configuration.answering?.type !== 'voicemail') return false;
  if (call.endedReason === 'process_lost') return true;
  const greetingEndMs = Math.max(
    0,
    ...call.turns.filter(({ sender }) => sender === 'bot').map(({ endMs }) => endMs),
  );
  return call.turns.some(({ sender, endMs }) => sender === 'human' && endMs > greetingEndMs);
}
