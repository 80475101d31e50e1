import { describe, expect, it } from 'vitest';
import { backOffMs, nextStep, type AttemptOutcome } from './registration.rules.ts';

const FIRST = { failures: 0, askedSeconds: 300, wasTooBrief: false };
const response = (status: number, retryAfterSeconds: number | null = null): AttemptOutcome => ({
  by: 'response',
  status,
  reason: 'Why',
  retryAfterSeconds,
});

/** The shortest and the longest wait after a failure. */
function waits(outcome: AttemptOutcome, failures = 0): [number, number] {
  const [shortest, longest] = [0, 1].map((random) => {
    const step = nextStep(outcome, { ...FIRST, failures, random });
    return step.type === 'failed' ? step.waitMs : NaN;
  });
  return [shortest ?? NaN, longest ?? NaN];
}

describe('the back-off', () => {
  it.each([
    [0, 30_000, 60_000],
    [1, 60_000, 120_000],
    [2, 120_000, 240_000],
    [3, 150_000, 300_000],
    [5000, 150_000, 300_000],
  ])('after %d earlier failures is between %d and %d ms', (failures, shortest, longest) => {
    expect([backOffMs({ failures, random: 0 }), backOffMs({ failures, random: 1 })]).toEqual([
      shortest,
      longest,
    ]);
  });
});

describe('the step after an outcome', () => {
  it.each([
    [0, 150_000],
    [0.5, 210_000],
    [1, 270_000],
  ])('is a refresh, for the random number %d after %d ms', (random, refreshMs) => {
    const outcome: AttemptOutcome = { by: 'grant', status: 200, expiresSeconds: 300 };
    expect(nextStep(outcome, { ...FIRST, random })).toEqual({
      type: 'registered',
      statusCode: 200,
      expiresSeconds: 300,
      refreshMs,
    });
  });

  const LONG: [number, number] = [300_000, 300_000];
  const BACK_OFF: [number, number] = [30_000, 60_000];
  it.each<[string, AttemptOutcome, [number, number]]>([
    ['400', response(400), LONG],
    ['403', response(403), LONG],
    ['404 with Retry-After', response(404, 900), [900_000, 990_000]],
    ['404 with a short Retry-After', response(404, 9), LONG],
    ['408', response(408), BACK_OFF],
    ['429 with Retry-After', response(429, 100), [100_000, 110_000]],
    ['480', response(480), BACK_OFF],
    ['500', response(500), BACK_OFF],
    ['504', response(504), BACK_OFF],
    ['600', response(600), LONG],
    ['3xx', { by: 'redirect', status: 301, targets: [] }, LONG],
    ['wrong credentials', { by: 'challenge', status: 407, refusal: 'wrong-credentials' }, LONG],
    ['unknown schemes', { by: 'challenge', status: 401, refusal: 'unsupported' }, LONG],
    ['stale nonces', { by: 'challenge', status: 401, refusal: 'stale-again' }, BACK_OFF],
    ['no answer', { by: 'no-response' }, BACK_OFF],
    ['a foreign answer', { by: 'foreign-answer' }, BACK_OFF],
    ['a fault of the transport', { by: 'transport' }, BACK_OFF],
    ['an unknown name', { by: 'no-address', reason: 'ENOTFOUND' }, BACK_OFF],
    ['a grant of nothing', { by: 'grant', status: 200, expiresSeconds: 0 }, BACK_OFF],
  ])('is a wait after %s', (_, outcome, expected) => {
    expect(waits(outcome).map(Math.round)).toEqual(expected);
  });

  it('is a longer time after 423, once', () => {
    const outcome: AttemptOutcome = { by: 'too-brief', status: 423, minExpiresSeconds: 600 };
    expect(nextStep(outcome, { ...FIRST, random: 0 })).toEqual({ type: 'ask-longer', expiresSeconds: 600 });
    expect(nextStep(outcome, { ...FIRST, wasTooBrief: true, random: 0 }).type).toBe('failed');
  });

  it('names a reason of at most 80 characters', () => {
    const step = nextStep(
      { by: 'response', status: 500, reason: 'x'.repeat(9999), retryAfterSeconds: null },
      { ...FIRST, random: 0 },
    );
    expect(step.type === 'failed' && step.error.length).toBeLessThan(140);
  });
});
