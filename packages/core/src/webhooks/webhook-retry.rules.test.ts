import { describe, expect, it } from 'vitest';
import { decideRetry } from './webhook-retry.rules.ts';

describe('trying a webhook again', () => {
  it.each([200, 201, 204, 299])('%i is success', (status) => {
    expect(decideRetry(1, status, 0)).toEqual({ status: 'delivered' });
  });

  it('410 switches the webhook off', () => {
    expect(decideRetry(1, 410, 0)).toEqual({ status: 'disabled' });
  });

  it.each([
    [1, 5],
    [2, 30],
    [3, 120],
    [4, 600],
    [5, 3600],
    [6, 5 * 3600],
    [7, 10 * 3600],
    [8, 24 * 3600],
  ])('after failure %i it waits %i s', (attempt, seconds) => {
    expect(decideRetry(attempt, 500, 0)).toEqual({ status: 'pending', waitMs: seconds * 1000 });
  });

  it.each([301, 404, 429, 500, null])('%s is a failure', (status) => {
    expect(decideRetry(1, status, 0).status).toBe('pending');
  });

  it('jitter makes a wait longer, by a fifth at most', () => {
    expect(decideRetry(1, null, 0.5)).toEqual({ status: 'pending', waitMs: 5500 });
    expect(decideRetry(1, null, 1)).toEqual({ status: 'pending', waitMs: 6000 });
  });

  it('is given up after the ninth failure', () => {
    expect(decideRetry(9, 500, 0)).toEqual({ status: 'failed' });
  });
});
