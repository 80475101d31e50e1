import { describe, expect, it } from 'vitest';
import { rmsDbfs } from './level.ts';
import { hasMurmur, makeAmbientSound, AMBIENT_DBFS, AMBIENT_SOUNDS } from './ambient-sound.ts';
import { bandNoise, seededRandom } from './seeded-noise.ts';
import { tone } from './tone.ts';

const RATE = 8000;
/** A tone with pauses, in place of a voice. */
const voice = tone({ hz: 600, sampleRateHz: RATE, samples: 4 * RATE }).map((sample, n) =>
  n % RATE < RATE / 2 ? sample : 0,
);
const make = (sound: (typeof AMBIENT_SOUNDS)[number]): Int16Array =>
  makeAmbientSound(sound, { sampleRateHz: RATE, voices: [voice] });

const LOOPS = new Map(AMBIENT_SOUNDS.map((sound) => [sound, make(sound)]));
/** Compared byte by byte: element by element takes seconds. */
const bytesOf = (loop: Int16Array | undefined): Buffer => Buffer.from(loop?.buffer ?? new ArrayBuffer(0));

describe.each(AMBIENT_SOUNDS)('the loop of %s', (sound) => {
  const loop = LOOPS.get(sound) ?? new Int16Array(1);

  it('has the level AMBIENT_DBFS', () => {
    expect(Math.abs(rmsDbfs(loop) - AMBIENT_DBFS)).toBeLessThan(1.5);
  });

  it('is never silent', () => {
    const seconds = Array.from({ length: 20 }, (_, n) => rmsDbfs(loop.subarray(n * RATE, (n + 1) * RATE)));
    expect(Math.min(...seconds)).toBeGreaterThan(AMBIENT_DBFS - 12);
  });

  it('is seamless', () => {
    const steps = Array.from(loop, (sample, n) => Math.abs(sample - (loop.at(n - 1) ?? 0)));
    const usual = steps.slice(1).toSorted((a, b) => b - a)[20] ?? 0;
    expect(steps[0]).toBeLessThanOrEqual(usual);
  });

  it('is reproducible and differs from every other sound', () => {
    expect(bytesOf(make(sound)).equals(bytesOf(loop))).toBe(true);
    const alike = AMBIENT_SOUNDS.filter((other) => bytesOf(LOOPS.get(other)).equals(bytesOf(loop)));
    expect(alike).toEqual([sound]);
  });
});

it('only places with people contain voices', () => {
  for (const sound of AMBIENT_SOUNDS) {
    const empty = makeAmbientSound(sound, { sampleRateHz: RATE, voices: [] });
    expect(bytesOf(empty).equals(bytesOf(LOOPS.get(sound)))).toBe(!hasMurmur(sound));
  }
});

it('a band of noise is loudest within it', () => {
  const noise = bandNoise(8 * RATE, { aboveHz: 300, belowHz: 800, sampleRateHz: RATE }, seededRandom(1));
  const powerAt = (hz: number): number => {
    let [real, imaginary] = [0, 0];
    // Averages over stretches of 0.1 s, so that chance does not decide.
    let power = 0;
    for (let n = 0; n < noise.length; n++) {
      real += (noise[n] ?? 0) * Math.cos((2 * Math.PI * hz * n) / RATE);
      imaginary += (noise[n] ?? 0) * Math.sin((2 * Math.PI * hz * n) / RATE);
      if (n % 800 !== 799) continue;
      power += real ** 2 + imaginary ** 2;
      [real, imaginary] = [0, 0];
    }
    return power;
  };
  expect(powerAt(500)).toBeGreaterThan(3 * powerAt(50));
  expect(powerAt(500)).toBeGreaterThan(3 * powerAt(3500));
});
