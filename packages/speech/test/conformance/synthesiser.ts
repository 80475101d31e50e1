/** What every {@link Synthesiser} promises. Run by the test of each adapter and of the fake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peak } from '@parley/audio';
import type { SpeakOptions, Synthesiser } from '../../src/ports.ts';
import { collect } from '../collect.ts';

/** One adapter under test. */
export interface SynthesiserCase {
  synthesiser: Synthesiser;
  /** A voice it has. */
  voice: string;
  stop(): Promise<void>;
}

const SENTENCE = 'Good morning, how can I help you today?';

/** @param make - a fresh adapter for the whole suite */
export function describeSynthesiser(name: string, make: () => Promise<SynthesiserCase>): void {
  describe(`${name} as a synthesiser`, () => {
    let subject: SynthesiserCase;
    beforeAll(async () => {
      subject = await make();
    });
    afterAll(async () => subject.stop());

    const options = (given: Partial<SpeakOptions> = {}): SpeakOptions => ({
      voice: subject.voice,
      sampleRateHz: 8000,
      speed: 1,
      stability: 0.5,
      similarity: 0.5,
      language: 'en',
      ...given,
    });
    const speak = async (text: string, given?: Partial<SpeakOptions>): Promise<Int16Array> =>
      joined(await collect(subject.synthesiser.speak(text, options(given), new AbortController().signal)));

    it('gives audible sound of the same length at every rate', async () => {
      const seconds: number[] = [];
      for (const sampleRateHz of [8000, 16_000, 24_000]) {
        const sound = await speak(SENTENCE, { sampleRateHz });
        expect(peak(sound)).toBeGreaterThan(1000);
        seconds.push(sound.length / sampleRateHz);
      }
      expect(seconds[0]).toBeGreaterThan(0.5);
      expect(seconds[1]).toBeCloseTo(seconds[0] ?? 0, 1);
      expect(seconds[2]).toBeCloseTo(seconds[0] ?? 0, 1);
    });

    it('makes a longer text last longer', async () => {
      const short = await speak('Good morning.');
      const long = await speak(SENTENCE);
      expect(long.length).toBeGreaterThan(short.length * 1.3);
    });

    it('speaks faster when asked to, if it says that it can', async () => {
      if (!subject.synthesiser.capabilities.settings.includes('speed')) return;
      const normal = await speak(SENTENCE);
      const fast = await speak(SENTENCE, { speed: 1.25 });
      expect(fast.length / normal.length).toBeCloseTo(0.8, 1);
    });

    it('says the same twice the same, and gives sound that belongs to its receiver', async () => {
      const ask = async () =>
        collect(subject.synthesiser.speak(SENTENCE, options(), new AbortController().signal));
      const first = await ask();
      const copy = joined(first);
      for (const chunk of first) chunk.fill(0);
      expect(joined(await ask())).toEqual(copy);
    });

    it('speaks for several listeners at once', async () => {
      const alone = await speak('One of several.');
      const together = await Promise.all([
        speak('One of several.'),
        speak(SENTENCE),
        speak('One of several.'),
      ]);
      expect(together[0]?.length).toBe(alone.length);
      expect(together[1]?.length).toBeGreaterThan(alone.length);
      expect(together[2]?.length).toBe(alone.length);
    });

    it('says nothing where there is nothing to say', async () => {
      expect(await speak('  ')).toHaveLength(0);
    });

    it('gives nothing to a listener who has left before', async () => {
      expect(await collect(subject.synthesiser.speak(SENTENCE, options(), AbortSignal.abort()))).toEqual([]);
    });

    it('ends without an error for a listener who leaves, and goes on for the others', async () => {
      const leaving = new AbortController();
      const left = collect(
        subject.synthesiser.speak('Somebody who leaves early.', options(), leaving.signal),
      );
      const stays = speak(SENTENCE);
      leaving.abort();
      expect(await left).toEqual([]);
      expect(peak(await stays)).toBeGreaterThan(1000);
    });

    it('lets a listener stop listening in the middle', async () => {
      for await (const chunk of subject.synthesiser.speak(
        SENTENCE,
        options(),
        new AbortController().signal,
      )) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect(peak(await speak('Still there.'))).toBeGreaterThan(1000);
    });
  });
}

function joined(chunks: readonly Int16Array[]): Int16Array {
  const sound = new Int16Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    sound.set(chunk, at);
    at += chunk.length;
  }
  return sound;
}
