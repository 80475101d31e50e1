import { expect, test } from 'vitest';
import { verdictHeadline } from './lead-labels.rules.ts';

test.each([
  ['never', null, /not be called again/],
  ['dial', null, /due to be called now/],
  ['wait', null, /^This lead is waiting$/],
  ['wait', '2026-01-31T09:05:00.000000Z', /^The next attempt is at .*31/],
] as const)('the headline of the verdict %s (until %s)', (decision, until, words) => {
  expect(verdictHeadline({ decision, until })).toMatch(words);
});
