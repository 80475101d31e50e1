import { expect, test } from 'vitest';
import { decideRetry } from './retry.rules.ts';

const policy = { maxRetries: 2, maxWaitSeconds: 60 };
const first = { number: 1, isRepeatable: true, status: null, retryAfterSeconds: null };

test.each([
  { name: 'a missing response is retried', attempt: {}, waitMs: 500 },
  { name: 'the second wait is twice as long', attempt: { number: 2 }, waitMs: 1000 },
  { name: 'after the last repetition the request fails', attempt: { number: 3 }, waitMs: null },
  {
    name: 'a request that is not repeatable is not repeated',
    attempt: { isRepeatable: false },
    waitMs: null,
  },
  {
    name: 'not even with Retry-After',
    attempt: { isRepeatable: false, status: 429, retryAfterSeconds: 1 },
    waitMs: null,
  },
  { name: 'Retry-After is respected', attempt: { status: 429, retryAfterSeconds: 7 }, waitMs: 7000 },
  { name: 'Retry-After 0 means now', attempt: { status: 503, retryAfterSeconds: 0 }, waitMs: 0 },
  {
    name: 'a Retry-After above the limit is final',
    attempt: { status: 429, retryAfterSeconds: 61 },
    waitMs: null,
  },
  { name: '503 is retried', attempt: { status: 503 }, waitMs: 500 },
  { name: '502 is retried', attempt: { status: 502 }, waitMs: 500 },
  { name: 'a conflict at the first try is final', attempt: { status: 409 }, waitMs: null },
  {
    name: 'a conflict at a later try may be the first try, still running',
    attempt: { number: 2, status: 409 },
    waitMs: 1000,
  },
  { name: 'a validation error is final', attempt: { status: 422 }, waitMs: null },
  { name: '500 is final', attempt: { status: 500 }, waitMs: null },
  { name: 'a success is final', attempt: { status: 200 }, waitMs: null },
])('$name', ({ attempt, waitMs }) => {
  expect(decideRetry({ ...first, ...attempt }, policy, 1)).toBe(waitMs);
});

test('waits are spread over their second half', () => {
  expect(decideRetry(first, policy, 0)).toBe(250);
});

test('waits stop growing at eight seconds', () => {
  expect(decideRetry({ ...first, number: 30 }, { ...policy, maxRetries: 40 }, 1)).toBe(8000);
});
