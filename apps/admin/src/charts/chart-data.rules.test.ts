import { expect, it } from 'vitest';
import { highestValue, labelStep, shortDay, stackedTops } from './chart-data.rules.ts';

const series = [
  { name: 'a', colour: '--a', values: [1, null, 3] },
  { name: 'b', colour: '--b', values: [2, 4, null] },
];

it('stacks the parts of each bar, and a missing part has no height', () => {
  expect(stackedTops(series)).toEqual([
    [1, 0, 3],
    [3, 4, 3],
  ]);
});

it.each([
  ['of bars is the highest bar', 'bars', 4],
  ['of lines is the highest point', 'lines', 4],
] as const)('the highest value %s', (_, kind, highest) => {
  expect(highestValue({ days: [], series, kind })).toBe(highest);
  expect(highestValue({ days: [], series: [], kind })).toBe(0);
});

it('names days without a time zone, and as many as fit', () => {
  expect(shortDay('2026-01-31')).toContain('31');
  expect([labelStep(7, 900), labelStep(90, 900), labelStep(30, 300), labelStep(7, 10)]).toEqual([1, 7, 8, 7]);
});
