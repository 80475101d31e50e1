import { expect, test } from 'vitest';
import { ratioOf, trimmedMean } from './api-ratio.rules.ts';

test.each<[string, number[], number]>([
  ['one', [7], 7],
  ['too few to leave one out', [1, 2, 9], 4],
  ['a tenth at each end is left out', [1000, 1, 2, 2, 2, 2, 2, 2, 2, 0], 15 / 8],
])('the trimmed mean of %s', (_what, values, mean) => {
  expect(trimmedMean(values)).toBeCloseTo(mean);
});

test('rounds that are all alike leave no doubt', () => {
  expect(ratioOf([26, 26, 26], [20, 20, 20])).toEqual({ value: 1.3, error: 0 });
});

test('what slows both sides of a round casts less doubt than what slows one', () => {
  const calm = Array.from({ length: 20 }, (_, round) => 100 + (round % 5) * 10);
  const alike = ratioOf(
    calm.map((micros) => micros * 1.3),
    calm,
  );
  const unlike = ratioOf(calm.map((micros) => micros * 1.3).toReversed(), calm);
  expect(alike.value).toBeCloseTo(1.3);
  expect(alike.error).toBeCloseTo(0);
  expect(unlike.error).toBeGreaterThan(0.01);
});

test('the error is that of a mean: a quarter with sixteen times the rounds', () => {
  const rounds = (count: number) => Array.from({ length: count }, (_, round) => 100 + (round % 2) * 20);
  const even = (count: number) => Array.from({ length: count }, () => 100);
  const few = ratioOf(rounds(8), even(8)).error;
  expect(ratioOf(rounds(128), even(128)).error / few).toBeCloseTo(1 / 4, 1);
});
