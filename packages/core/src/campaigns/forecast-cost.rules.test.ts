import { expect, it } from 'vitest';
import { forecastCost, type PricedCall } from './forecast-cost.rules.ts';

const part = (amount: number | null) => ({ amount }) as PricedCall['costs'][number];
const call = (durationSeconds: number, totalCost: number, ...amounts: (number | null)[]): PricedCall => ({
  durationSeconds,
  totalCost,
  costs: amounts.map(part),
});
const COUNTS = { reached: 10, durationSeconds: 60, people: 30, longestSeconds: 600 };

it.each([
  ['a minute of 0.10', [call(60, 0.1, 0.1)], 1, 30],
  ['the average by duration', [call(30, 0.2, 0.2), call(90, 0, 0)], 1, 30],
  ['free engines', [call(60, 0, 0)], 0, 0],
  ['no calls', [], null, null],
  ['calls that were not answered', [call(0, 0)], null, null],
  ['a part without a price', [call(60, 0.1, 0.1, null)], null, null],
  ['only the calls whose costs are known', [call(60, 9, null), call(60, 0.1, 0.1)], 1, 30],
])('%s', (_, calls, expected, highest) => {
  expect(forecastCost(calls, COUNTS)).toEqual({ expected, highest });
});

it('is never higher than the highest, even for calls that are expected to be longer than the assistant allows', () => {
  const counts = { ...COUNTS, people: 10, longestSeconds: 20 };
  expect(forecastCost([call(60, 0.1, 0.1)], counts)).toEqual({ expected: 1, highest: 1 });
});
