import { expect, test } from 'vitest';
import { refillFigures } from './campaign-refill.rules.ts';

const WATCH = { live: 2, fromMs: 1_000, untilMs: 2_000 };

function call(takenAtMs: number, endedAtMs: number | null) {
  return { number: '+12025550160', takenAtMs, invitedAtMs: takenAtMs + 5, endedAtMs };
}

test('each end is answered by the next dial', () => {
  const log = [call(0, 1_100), call(0, 1_400), call(1_103, null), call(1_420, null)];
  const figures = refillFigures(log, WATCH);
  expect(figures).toMatchObject({ live: 2, endsPerSecond: 2 });
  expect(figures.dialMs).toEqual({ p50: 3, p99: 20 });
  expect(figures.inviteMs).toEqual({ p50: 8, p99: 25 });
});

test('a slot that was free when the watch began takes the first dial', () => {
  const log = [call(0, 1_400), call(1_050, null), call(1_403, null)];
  expect(refillFigures(log, WATCH).dialMs).toEqual({ p50: 3, p99: 3 });
});

test('the use of the limit counts the time from INVITE to hang-up inside the watch', () => {
  const log = [call(0, 1_500), call(995, null)];
  expect(refillFigures(log, WATCH).capUse).toBe(0.75);
});

test('what ended before the watch counts for nothing', () => {
  expect(refillFigures([call(0, 500)], WATCH)).toMatchObject({ endsPerSecond: 0, capUse: 0 });
});
