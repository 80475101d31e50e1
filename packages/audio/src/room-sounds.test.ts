import { describe, expect, it } from 'vitest';
import { rmsDbfs } from './level.ts';
import { hasMurmur, makeRoom, ROOM_DBFS, ROOMS } from './room-sounds.ts';
import { bandNoise, seededRandom } from './seeded-noise.ts';
import { tone } from './tone.ts';

const RATE = 8000;
/** Stands for somebody who talks: a tone that comes and goes. */
const voice = tone({ hz: 600, sampleRateHz: RATE, samples: 4 * RATE }).map((sample, n) =>
  n % RATE < RATE / 2 ? sample : 0,
);
const make = (room: (typeof ROOMS)[number]): Int16Array =>
  makeRoom(room, { sampleRateHz: RATE, voices: [voice] });

const LOOPS = new Map(ROOMS.map((room) => [room, make(room)]));
/** Compared byte by byte: element by element takes seconds. */
const bytesOf = (loop: Int16Array | undefined): Buffer => Buffer.from(loop?.buffer ?? new ArrayBuffer(0));

describe.each(ROOMS)('the loop of %s', (room) => {
  const loop = LOOPS.get(room) ?? new Int16Array(1);

  it('has the level ROOM_DBFS', () => {
    expect(Math.abs(rmsDbfs(loop) - ROOM_DBFS)).toBeLessThan(1.5);
  });

  it('is never silent', () => {
    const seconds = Array.from({ length: 20 }, (_, n) => rmsDbfs(loop.subarray(n * RATE, (n + 1) * RATE)));
    expect(Math.min(...seconds)).toBeGreaterThan(ROOM_DBFS - 12);
  });

  it('is seamless', () => {
    const steps = Array.from(loop, (sample, n) => Math.abs(sample - (loop.at(n - 1) ?? 0)));
    const usual = steps.slice(1).toSorted((a, b) => b - a)[20] ?? 0;
    expect(steps[0]).toBeLessThanOrEqual(usual);
  });

  it('is reproducible and differs from every other room', () => {
    expect(bytesOf(make(room)).equals(bytesOf(loop))).toBe(true);
    const alike = ROOMS.filter((other) => bytesOf(LOOPS.get(other)).equals(bytesOf(loop)));
    expect(alike).toEqual([room]);
  });
});

it('only rooms with people contain voices', () => {
  for (const room of ROOMS) {
    const empty = makeRoom(room, { sampleRateHz: RATE, voices: [] });
    expect(bytesOf(empty).equals(bytesOf(LOOPS.get(room)))).toBe(!hasMurmur(room));
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
