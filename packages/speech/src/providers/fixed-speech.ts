/**
 * Keeps the speech of fixed texts (first messages, goodbyes, fillers) for later calls, so that they need no provider. Texts
 * of a model are not kept.
 */
import type { Synthesiser, TimedWord } from '../ports.ts';
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
  const wordsOf = new WeakMap<Int16Array, readonly TimedWord[]>(); // of the sounds in the cache
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
        if (kept) {
          for (const word of wordsOf.get(kept) ?? []) options.onWord?.(word);
          return yield kept.slice(); // the receiver may change it
        }
        const words: TimedWord[] = [];
        const onWord = (word: TimedWord): void => {
          words.push(word);
          options.onWord?.(word);
        };
        const pieces: Int16Array[] = [];
        for await (const samples of synthesiser.speak(text, { ...options, onWord }, signal)) {
          pieces.push(samples.slice());
          yield samples;
        }
        const sound = joined(pieces);
        if (signal.aborted || sound.length === 0) return;
        wordsOf.set(sound, words);
        cache.set(key, sound);
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
