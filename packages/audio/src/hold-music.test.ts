import { expect, it } from 'vitest';
import { makeHoldMusic } from './hold-music.ts';
import { peak, rmsDbfs } from './level.ts';

const RATE = 8000;
const music = makeHoldMusic(RATE);

it('is 16 s long at -26 dB of full scale, without clipping, in memory that threads share', () => {
  expect(music).toHaveLength(16 * RATE);
  expect(rmsDbfs(music)).toBeCloseTo(-26, 0);
  expect(peak(music)).toBeLessThan(16_384);
  expect(music.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(makeHoldMusic(2 * RATE)).toHaveLength(32 * RATE);
});

it('is never silent and seamless', () => {
  const seconds = Array.from({ length: 16 }, (_, n) => rmsDbfs(music.subarray(n * RATE, (n + 1) * RATE)));
  expect(Math.min(...seconds)).toBeGreaterThan(-32);
  const steps = Array.from(music, (sample, n) => Math.abs(sample - (music.at(n - 1) ?? 0)));
  const usual = steps.slice(1).toSorted((a, b) => b - a)[20] ?? 0;
  expect(steps[0]).toBeLessThanOrEqual(usual);
});
