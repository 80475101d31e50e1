/** What every {@link Synthesiser} of a provider promises when that fails. Run by each adapter. */
import { afterEach, describe, expect, it } from 'vitest';
import { tonePurity } from '@parley/audio';
import { ManualClock, systemClock, type Clock } from '@parley/runtime';
import type { SimulatedFault } from '../../src/fakes/index.ts';
import type { ProviderSimulator, SimulatorOptions } from '../../src/fakes/simulator/provider-simulator.ts';
import type { SpeakOptions, Synthesiser, TimedWord } from '../../src/ports.ts';
import type { ProviderAccount } from '../../src/providers/provider-account.ts';
import type { PatienceLimits } from '../../src/wire/patience.ts';
import { collect } from '../collect.ts';
import { describeSynthesiser } from './synthesiser.ts';

/** One adapter under test. */
export interface RemoteSynthesiserCase {
  name: string;
  voice: string;
  simulate: (options: SimulatorOptions) => ProviderSimulator;
  make: (options: { account: ProviderAccount; clock: Clock; limits?: PatienceLimits }) => Synthesiser;
}

const KEY = 'key-that-must-stay-secret';
const running: ProviderSimulator[] = [];

/** A simulator of one adapter, and a way to speak through it with little patience. */
export async function openVoice(subject: RemoteSynthesiserCase) {
  const clock = new ManualClock();
  const simulator = subject.simulate({ clock: systemClock, eachAfterMs: 1 });
  running.push(simulator);
  await simulator.start();
  const synthesiser = subject.make({
    account: { baseUrl: `${simulator.origin}/`, apiKey: KEY },
    clock,
    limits: { firstMs: 2000, betweenMs: 1000 },
  });
  const options: SpeakOptions = {
    voice: subject.voice,
    sampleRateHz: 8000,
    speed: 1,
    stability: 0.7,
    similarity: 0.4,
    language: 'en',
  };
  const speak = (given: Partial<SpeakOptions> = {}, signal = new AbortController().signal) =>
    synthesiser.speak('Good morning.', { ...options, ...given }, signal);
  return { clock, simulator, synthesiser, speak };
}

/** For adapters that report when their words sound. */
export function itReportsWords(subject: RemoteSynthesiserCase): void {
  it.each([
    { speed: 1, sampleRateHz: 8000 },
    { speed: 1, sampleRateHz: 24_000 },
    { speed: 0.8, sampleRateHz: 8000 },
    { speed: 1.2, sampleRateHz: 11_025 },
  ])('reports when its words sound, in the sound that it returns: %j', async (given) => {
    const { speak, synthesiser } = await openVoice(subject);
    const words: TimedWord[] = [];
    const chunks = await collect(speak({ ...given, onWord: (word) => words.push(word) }));
    const samples = chunks.reduce((sum, { length }) => sum + length, 0);
    expect(words.map(({ text }) => text)).toEqual(['Good', 'morning.']);
    const ends = words.flatMap(({ startMs, endMs }) => [startMs, endMs]);
    const soundMs = (samples / given.sampleRateHz) * 1000;
    // The simulators give all characters the same time.
    const expected = [0, 4, 5, 13].map((characters) => (characters / 13) * soundMs);
    ends.forEach((ms, index) => expect(Math.abs(ms - (expected[index] ?? NaN))).toBeLessThan(2));
    synthesiser.release?.();
  });
}

/** Stops what {@link openVoice} has started. */
export async function stopVoices(): Promise<void> {
  await Promise.all(running.splice(0).map(async (simulator) => simulator.stop()));
}

/** The suite of the port, and what is asked of a provider besides. */
export function describeRemoteSynthesiser(subject: RemoteSynthesiserCase): void {
  describeSynthesiser(subject.name, async () => {
    const simulator = subject.simulate({ clock: systemClock });
    await simulator.start();
    const account = { baseUrl: simulator.origin, apiKey: null };
    const synthesiser = subject.make({ account, clock: systemClock });
    const stop = async (): Promise<void> => {
      synthesiser.release?.();
      await simulator.stop();
    };
    return { synthesiser, voice: subject.voice, stop };
  });

  describe(`${subject.name}, when its provider fails`, () => {
    afterEach(stopVoices);

    it.each([
      [{ type: 'status', status: 401, message: `no such key ${KEY}` }, 'rejected'],
      [{ type: 'status', status: 429, message: 'slow down' }, 'unavailable'],
      [{ type: 'status', status: 503, message: 'busy' }, 'unavailable'],
      [{ type: 'cut', after: 1 }, 'unavailable'],
    ] as const)('tells %j as %s, without its key, and recovers', async (fault, kind) => {
      const { simulator, speak, clock, synthesiser } = await openVoice(subject);
      simulator.failNext(fault satisfies SimulatedFault);
      const failure = await collect(speak()).catch((error: unknown) => error as Error);
      expect(failure).toMatchObject({ name: 'SpeechError', kind });
      expect((failure as Error).message).not.toContain(KEY);
      expect((await collect(speak())).length).toBeGreaterThan(0);
      synthesiser.release?.();
      expect(clock.pendingTimers()).toBe(0);
    });

    it('is unavailable when its address refuses connections', async () => {
      const { simulator, speak } = await openVoice(subject);
      await simulator.stop();
      await expect(collect(speak())).rejects.toMatchObject({ kind: 'unavailable' });
    });

    it('gives up a provider that does not begin, and one that falls silent', async () => {
      const { simulator, speak, clock, synthesiser } = await openVoice(subject);
      simulator.failNext({ type: 'stall', after: 0 });
      const never = expect(collect(speak())).rejects.toMatchObject({ kind: 'timed-out' });
      await simulator.request(0);
      clock.advance(2000);
      await never;
      synthesiser.release?.();
      simulator.failNext({ type: 'stall', after: 1 });
      const half = (async () => {
        for await (const _chunk of speak()) queueMicrotask(() => clock.advance(1000));
      })();
      await expect(half).rejects.toMatchObject({ kind: 'timed-out' });
    });

    it('waits for a listener who takes their time', async () => {
      const { speak, clock, synthesiser } = await openVoice(subject);
      let pieces = 0;
      for await (const _chunk of speak()) {
        pieces += 1;
        clock.advance(60_000);
      }
      // The loop ends without `timed-out`. A busy machine may deliver all the sound in one piece.
      expect(pieces).toBeGreaterThan(0);
      synthesiser.release?.();
    });

    it('waits for a provider that is slow to begin', async () => {
      const { simulator, speak, synthesiser } = await openVoice(subject);
      simulator.failNext({ type: 'delay', ms: 50 });
      expect((await collect(speak())).length).toBeGreaterThan(0);
      synthesiser.release?.();
    });

    it('gives the very sound at the rate of the line, however the network cut it', async () => {
      const { speak, synthesiser } = await openVoice(subject);
      // How many pieces arrive is the machine's business: a busy one finds several waiting.
      const chunks = await collect(speak());
      const samples = Int16Array.from(chunks.flatMap((chunk) => [...chunk]));
      expect(samples).toHaveLength((13 * 40 * 8000) / 1000);
      expect(tonePurity(samples.subarray(100, -100), 500, 8000)).toBeGreaterThan(0.999);
      synthesiser.release?.();
    });
  });
}
