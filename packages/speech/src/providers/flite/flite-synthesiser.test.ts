import { afterEach, describe, expect, it } from 'vitest';
import { rmsDbfs } from '@parley/audio';
import { ManualClock, systemClock, type Clock } from '@parley/runtime';
import { describeSynthesiser } from '../../../test/conformance/synthesiser.ts';
import type { SpeakOptions } from '../../ports.ts';
import { FLITE_VOICES } from './flite-engine.ts';
import { createFliteSynthesiser, type FliteSynthesiser } from './flite-synthesiser.ts';

describeSynthesiser('Flite', async () => {
  const synthesiser = createFliteSynthesiser({ clock: systemClock });
  await synthesiser.start();
  return { synthesiser, voice: 'slt', stop: async () => synthesiser.stop() };
});

describe('Flite', () => {
  const running: FliteSynthesiser[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map(async (synthesiser) => synthesiser.stop()));
  });

  const setup = (clock: Clock = systemClock) => {
    const synthesiser = createFliteSynthesiser({ clock });
    running.push(synthesiser);
    const speak = async (text: string, given: Partial<SpeakOptions> = {}): Promise<Int16Array[]> => {
      const options = {
        voice: 'slt',
        sampleRateHz: 8000,
        speed: 1,
        stability: 0,
        similarity: 0,
        language: 'en',
      };
      const chunks: Int16Array[] = [];
      const signal = new AbortController().signal;
      for await (const chunk of synthesiser.speak(text, { ...options, ...given }, signal)) chunks.push(chunk);
      return chunks;
    };
    return { synthesiser, speak };
  };

  it('has all its voices, with different sounds that start at once', async () => {
    const { speak } = setup();
    const lengths = new Set<number>();
    for (const voice of FLITE_VOICES) {
      const [sound] = await speak('Now then.', { voice });
      expect(rmsDbfs(sound?.subarray(0, 800) ?? new Int16Array())).toBeGreaterThan(-45);
      lengths.add(sound?.length ?? 0);
    }
    expect(lengths.size).toBe(FLITE_VOICES.length);
  });

  it('refuses a voice it does not have', async () => {
    const { speak } = setup();
    await expect(speak('Hello.', { voice: 'nobody' })).rejects.toMatchObject({ kind: 'rejected' });
  });

  it('speaks a long text sentence by sentence', async () => {
    const { speak } = setup();
    const chunks = await speak('This sentence is said a few times, to make the text long enough. '.repeat(5));
    expect(chunks).toHaveLength(5);
  });

  it('survives odd characters', async () => {
    const { speak } = setup();
    const [plain] = await speak('A cafe, 5 euros');
    const [typographic] = await speak('A café,\0 5\u{1F600} €');
    expect(typographic?.length).toBe(plain?.length);
  });

  it('fails what is open when it is stopped, and stops twice', async () => {
    const { synthesiser, speak } = setup();
    const open = speak('A sentence that will not be finished.');
    const queued = speak('Another one.');
    const outcomes = Promise.allSettled([open, queued]);
    await synthesiser.stop();
    await synthesiser.stop();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { kind: 'unavailable' } });
  });

  it('leaves no timer behind when it is stopped', async () => {
    const clock = new ManualClock();
    const { synthesiser, speak } = setup(clock);
    await speak('Done.');
    await synthesiser.stop();
    expect(clock.pendingTimers()).toBe(0);
  });

  it('gives up a thread that takes too long, and starts another for the next sentence', async () => {
    const clock = new ManualClock();
    const { speak } = setup(clock);
    const slow = expect(speak('This one is too slow.')).rejects.toMatchObject({ kind: 'timed-out' });
    await clock.advanceAsync(60_000, 10_000);
    await slow;
    expect(await speak('This one is not.')).toHaveLength(1);
  });
});
