/**
 * Keeps the speech of fixed texts (first messages, goodbyes, fillers) for later calls, so that they need no provider. Texts
 * of a model are not kept.
 */
import type { Synthesiser } from '../ports.ts';
import { SoundCache } from './flite/sound-cache.ts';

/** About 17 minutes of telephone sound. */
const LIMIT_BYTES = 16 * 1024 * 1024;

/** One per process. */
export interface FixedSpeech {
  /** @param account - identifies the provider's account: the same voice name may be another voice elsewhere */
  keepFor(synthesiser: Synthesiser, account: string): Synthesiser;
}

/** Makes an empty store of bounded size. */
export function createFixedSpeech(limitBytes = LIMIT_BYTES): FixedSpeech {
  const cache = new SoundCache(limitBytes);
  return {
    keepFor: (synthesiser, account) => ({
      capabilities: synthesiser.capabilities,
      async *speak(text, options, signal) {
        if (options.isFixed !== true) return yield* synthesiser.speak(text, options, signal);
        const { voice, sampleRateHz, speed, stability, similarity, language } = options;
        const key = JSON.stringify([
          account,
          voice,
          sampleRateHz,
          speed,
          stability,
          similarity,
          language,
          text,
        ]);
        const kept = cache.get(key);
        if (kept) return yield kept.slice(); // the receiver may change it
        const pieces: Int16Array[] = [];
        for await (const samples of synthesiser.speak(text, options, signal)) {
          pieces.push(samples.slice());
          yield samples;
        }
        const sound = joined(pieces);
        if (!signal.aborted && sound.length > 0) cache.set(key, sound);
      },
      release: () => synthesiser.release?.(),
    }),
  };
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const sound = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    sound.set(piece, at);
    at += piece.length;
  }
  return sound;
}
