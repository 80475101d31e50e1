import { expect, test } from 'vitest';
import { secondsBetween } from './call-seconds.rules.ts';

const at = (ms: number): Date => new Date(1_767_268_800_000 + ms);

test.each([
  ['a call of two minutes', at(0), at(120_000), 120],
  ['less than half a second is rounded down', at(0), at(1_499), 1],
  ['half a second is rounded up', at(0), at(1_500), 2],
  ['a call that was not answered', null, at(120_000), 0],
  ['a call that has not ended', at(0), null, 0],
  ['neither', null, null, 0],
  ['an end before the answer, by two clocks', at(0), at(-5_000), 0],
])('%s', (_what, answeredAt, endedAt, seconds) => {
  expect(secondsBetween(answeredAt, endedAt)).toBe(seconds);
});
