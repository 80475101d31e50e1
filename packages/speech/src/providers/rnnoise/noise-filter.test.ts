import { rmsDbfs, tone } from '@parley/audio';
import { systemClock } from '@parley/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collect } from '../../../test/collect.ts';
import { createFliteSynthesiser } from '../flite/flite-synthesiser.ts';
import { createNoiseFilter, type NoiseFilterStream } from './noise-filter.ts';

const RATE_HZ = 8000;
const SECOND = RATE_HZ;

function setup() {
  const filter = createNoiseFilter({ clock: systemClock });
  onTestFinished(() => filter.stop());
  return filter;
}

/** A sentence of the built-in voice between two seconds of silence. */
async function sentence(): Promise<Int16Array> {
  const flite = createFliteSynthesiser({ clock: systemClock });
  onTestFinished(() => flite.stop());
  const options = {
    voice: 'slt',
    sampleRateHz: RATE_HZ,
    speed: 1,
    stability: 0,
    similarity: 0,
    language: 'en',
  };
  const text = 'My order number is four seven nine, and I would like to have it on Tuesday morning.';
  const chunks = await collect(flite.speak(text, options, new AbortController().signal));
  const silence = new Int16Array(2 * SECOND);
  return Int16Array.from([...silence, ...chunks.flatMap((chunk) => [...chunk]), ...silence]);
}

/** Noise as of a fan: low bands stronger than high ones; the same in every run. */
function withNoise(sound: Int16Array, amplitude: number): Int16Array {
  let seed = 7;
  let noise = 0;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
  return sound.map((sample) => {
    noise = 0.9 * noise + random() * amplitude;
    return sample + noise;
  });
}

/** Through the filter, in pieces of one second. */
async function cleaned(stream: NoiseFilterStream, sound: Int16Array): Promise<Int16Array> {
  const out: number[] = [];
  for (let at = 0; at < sound.length; at += SECOND)
    out.push(...(await stream.clean(sound.subarray(at, at + SECOND), at + SECOND >= sound.length)));
  return Int16Array.from(out);
}

const pause = (sound: Int16Array): number => rmsDbfs(sound.subarray(SECOND, 2 * SECOND - 800));
const speech = (sound: Int16Array): number => rmsDbfs(sound.subarray(2 * SECOND, -2 * SECOND));

/** The number of samples by which one sound is later than another. */
function lateness(sound: Int16Array, original: Int16Array): number {
  const products = Array.from({ length: 401 }, (_, n) => {
    let sum = 0;
    for (let i = 400; i < original.length - 400; i++) sum += (original[i] ?? 0) * (sound[i + n - 200] ?? 0);
    return sum;
  });
  return products.indexOf(Math.max(...products)) - 200;
}

describe('a sound whose noise is taken out', () => {
  it('loses the noise of its pauses by 30 dB, and of its speech at most 2 dB', async () => {
    const original = await sentence();
    const noisy = withNoise(original, 3000);
    expect(speech(original) - pause(noisy)).toBeLessThan(20); // it is noisy
    const quiet = await cleaned(setup().open(RATE_HZ), noisy);
    expect(pause(noisy) - pause(quiet)).toBeGreaterThan(30);
    expect(Math.abs(speech(quiet) - speech(original))).toBeLessThan(2);
  });

  it.each([8000, 16_000])('lies where it lay, whole, at %i Hz', async (rateHz) => {
    const original = await sentence();
    const stream = setup().open(rateHz);
    const quiet = await cleaned(stream, original);
    expect(quiet.length).toBeGreaterThanOrEqual(original.length);
    expect(Math.abs(lateness(quiet, original))).toBeLessThanOrEqual(1);
  });

  it('is kept apart from others at the same time', async () => {
    const filter = setup();
    const original = await sentence();
    const [one, other, alone] = await Promise.all([
      cleaned(filter.open(RATE_HZ), original),
      cleaned(filter.open(RATE_HZ), tone({ hz: 440, sampleRateHz: RATE_HZ, samples: 4 * SECOND })),
      cleaned(filter.open(RATE_HZ), original),
    ]);
    expect(one).toEqual(alone);
    expect(other.length).toBeGreaterThanOrEqual(4 * SECOND);
  });

  it('is refused by a filter that was stopped', async () => {
    const filter = setup();
    await filter.stop();
    await expect(filter.open(RATE_HZ).clean(new Int16Array(80), false)).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });
});
