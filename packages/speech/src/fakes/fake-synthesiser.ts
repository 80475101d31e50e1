/**
 * A voice that hums: each text becomes a tone whose length grows with the text, so that tests can count on durations
 * and find the sound again by its frequency. Waits by the {@link Clock}.
 */
import { tone } from '@parley/audio';
import { pause, type Clock } from '@parley/runtime';
import type { SpeakOptions, SpeechError, Synthesiser, TimedWord } from '../ports.ts';

const CHUNK_MS = 100;

/** All delays are 0 unless given. */
export interface FakeSynthesiserOptions {
  clock: Clock;
  /** Sound made for each character of the text at speed 1, milliseconds; 50 unless given. */
  msPerCharacter?: number;
  /** 440 unless given. */
  toneHz?: number;
  /** Whether it reports the times of its words; it does not unless given. Each begins with its first character. */
  hasWordTimes?: boolean;
  /** From the request to the first chunk, milliseconds. */
  firstChunkAfterMs?: number;
  /** Between chunks of 100 ms of sound, milliseconds. */
  chunkEveryMs?: number;
  /** Asked before each text; an error stands for the provider's failure. */
  failWith?: (text: string) => SpeechError | null;
}

/** The synthesiser and what it was asked to say, in order. */
export interface FakeSynthesiser extends Synthesiser {
  readonly spoken: readonly { text: string; options: SpeakOptions }[];
}

/** @see FakeSynthesiserOptions */
export function createFakeSynthesiser(given: FakeSynthesiserOptions): FakeSynthesiser {
  const spoken: { text: string; options: SpeakOptions }[] = [];
  return {
    capabilities: { sampleRatesHz: [8000, 16_000, 24_000, 48_000], settings: ['speed'] },
    spoken,
    async *speak(text, options, signal) {
      if (signal.aborted || text.trim() === '') return;
      spoken.push({ text, options });
      await pause(given.clock, given.firstChunkAfterMs ?? 0, signal);
      const error = given.failWith?.(text);
      if (error) throw error;
      const characterMs = (given.msPerCharacter ?? 50) / options.speed;
      const lengthMs = text.trim().length * characterMs;
      if (given.hasWordTimes === true)
        for (const word of wordTimes(text.trim(), characterMs)) options.onWord?.(word);
      for (const chunk of hum(given.toneHz ?? 440, lengthMs, options.sampleRateHz)) {
        if (signal.aborted) return;
        yield chunk;
        if (given.chunkEveryMs) await pause(given.clock, given.chunkEveryMs, signal);
      }
    },
  };
}

/** Pieces of a sine without a jump between them. */
function* hum(hz: number, lengthMs: number, sampleRateHz: number): Generator<Int16Array> {
  const total = Math.round((lengthMs * sampleRateHz) / 1000);
  const chunkSamples = (CHUNK_MS * sampleRateHz) / 1000;
  for (let startAt = 0; startAt < total; startAt += chunkSamples)
    yield tone({ hz, sampleRateHz, startAt, samples: Math.min(chunkSamples, total - startAt) });
}

/** The words of a text whose characters all take the same time. */
export function wordTimes(text: string, characterMs: number): TimedWord[] {
  return [...text.matchAll(/\S+/gu)].map(({ 0: word, index }) => ({
    text: word,
    startMs: index * characterMs,
    endMs: (index + word.length) * characterMs,
  }));
}
