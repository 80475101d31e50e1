import { tone } from '@parley/audio';
import { expect, it } from 'vitest';
import { longestOf, silencesOf } from './silences.ts';

const RATE_HZ = 8000;

/** Loud from and to these milliseconds, for a second in all. */
function track(...loud: readonly (readonly [number, number])[]): Int16Array {
  const samples = new Int16Array(RATE_HZ);
  for (const [fromMs, toMs] of loud)
    samples.set(tone({ hz: 400, sampleRateHz: RATE_HZ, samples: (toMs - fromMs) * 8 }), fromMs * 8);
  return samples;
}

it('finds the intervals in which all tracks are silent', () => {
  const silences = silencesOf([track([100, 300]), track([280, 400], [900, 1000])], RATE_HZ);
  expect(silences).toEqual([
    { fromMs: 0, toMs: 100 },
    { fromMs: 400, toMs: 900 },
  ]);
  expect(longestOf(silences)).toBe(500);
});

it('includes the end of a call and the missing end of a track', () => {
  expect(silencesOf([track([0, 200]), new Int16Array(0)], RATE_HZ)).toEqual([{ fromMs: 200, toMs: 1000 }]);
});

it('finds nothing in a call without silence or without audio', () => {
  expect(longestOf(silencesOf([track([0, 1000])], RATE_HZ))).toBe(0);
  expect(longestOf(silencesOf([], RATE_HZ))).toBe(0);
});
