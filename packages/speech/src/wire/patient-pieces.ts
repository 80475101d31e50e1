/** The pieces of one answer from a socket, passed on within the time limits. */
import type { Clock } from '@parley/runtime';
import { Patience, type PatienceLimits } from './patience.ts';
import { toSpeechError } from './provider-error.ts';
import type { SoundQueue } from './sound-queue.ts';

/** How long, and what must not be seen in an error. */
export interface PatientListener {
  clock: Clock;
  limits: PatienceLimits;
  apiKey: string | null;
  signal: AbortSignal;
}

/**
 * Ends without an error when the signal is aborted.
 *
 * @throws SpeechError while iterating
 */
export async function* takePatiently<Piece>(
  pieces: SoundQueue<Piece>,
  { clock, limits, apiKey, signal }: PatientListener,
): AsyncGenerator<Piece, void> {
  const patience = new Patience(clock, limits, signal);
  const stop = (): void => pieces.end();
  patience.signal.addEventListener('abort', stop, { once: true });
  try {
    if (patience.signal.aborted) return;
    for await (const piece of pieces) {
      patience.rest();
      yield piece;
      patience.heard();
    }
    if (patience.signal.aborted) throw patience.signal.reason;
  } catch (error) {
    const failure = patience.explain(error, (cause) => toSpeechError(cause, apiKey));
    if (failure) throw failure;
  } finally {
    patience.end();
  }
}
