import { describe, expect, it } from 'vitest';
import { decideRetry } from './webhook-retry.rules.ts';

const after = (number: number, httpStatus: number | null, chance = 0) =>
  decideRetry({ event: 'call.finished', number, httpStatus }, chance);

/** Waits after each failure, seconds. */
const SCHEDULE = [
  [1, 5],
  [2, 30],
  [3, 120],
  [4, 600],
  [5, 3600],
  [6, 5 * 3600],
  [7, 10 * 3600],
  [8, 24 * 3600],
] as const;

describe('a webhook', () => {
  it.each([200, 201, 204, 299])('is delivered with status %i', (status) => {
    expect(after(1, status)).toEqual({ status: 'delivered' });
    expect(after(9, status)).toEqual({ status: 'delivered' });
  });

  it.each([1, 4, 9])('is switched off by a 410, at attempt %i too', (number) => {
    expect(after(number, 410)).toEqual({ status: 'disabled', reason: 'gone' });
  });

  it.each(SCHEDULE)('after failure %i it waits %i s at least', (number, seconds) => {
    expect(after(number, 500, 0)).toEqual({ status: 'pending', waitMs: seconds * 1000 });
  });

  it.each(SCHEDULE)('after failure %i it waits at most a fifth more than %i s', (number, seconds) => {
    expect(after(number, null, 1)).toEqual({ status: 'pending', waitMs: seconds * 1200 });
    expect(after(number, null, 0.5)).toEqual({ status: 'pending', waitMs: seconds * 1100 });
  });

  it.each([100, 199, 300, 301, 304, 404, 409, 411, 429, 500, 503, null])('%s is a failure', (status) => {
    expect(after(1, status)).toEqual({ status: 'pending', waitMs: 5000 });
  });

  it('has failed after the ninth failure', () => {
    expect(after(9, 500)).toEqual({ status: 'failed', reason: 'tries_used_up' });
    expect(after(10, 500)).toEqual({ status: 'failed', reason: 'tries_used_up' });
  });

  it('about an incoming call is sent once, because a retry would come too late', () => {
    const incoming = { event: 'call.incoming', number: 1 };
    expect(decideRetry({ ...incoming, httpStatus: 200 }, 0)).toEqual({ status: 'delivered' });
    expect(decideRetry({ ...incoming, httpStatus: null }, 0)).toEqual({
      status: 'failed',
      reason: 'tries_used_up',
    });
    expect(decideRetry({ ...incoming, httpStatus: 410 }, 0)).toMatchObject({ status: 'disabled' });
  });
});
