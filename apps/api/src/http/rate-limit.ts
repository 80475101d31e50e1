/**
 * Rate limits, counted in this process: with several api processes, each grants the whole limit. They apply to each token,
 * to failed authentications and to requests for unknown paths of each network address, and to each user of the admin app.
 */
import type { Clock } from '@parley/runtime';
import type { Response } from 'express';
import { RefusedRequest, tooMany } from '../http-errors.ts';
import { countRequest, isCurrent, WINDOW_SECONDS, type Allowance, type Window } from './rate-limit.rules.ts';

/** Windows that have ended are removed whenever the table reaches this size. */
const SWEEP_SIZE = 10_000;

/** One for each process. */
export interface RateLimit {
  /** Requests per minute. */
  limit: number;
  /** Counts a request under `key`. */
  count(key: string): Allowance;
}

/** @param limit - requests per minute for each key */
export function createRateLimit(limit: number, clock: Clock): RateLimit {
  const windows = new Map<string, Window>();
  return {
    limit,
    count(key) {
      const nowMs = clock.now();
      if (windows.size >= SWEEP_SIZE) sweep(windows, nowMs);
      const { window, allowance } = countRequest(windows.get(key), limit, nowMs);
      windows.set(key, window);
      return allowance;
    },
  };
}

function sweep(windows: Map<string, Window>, nowMs: number): void {
  for (const [key, window] of windows) if (!isCurrent(window, nowMs)) windows.delete(key);
}

/** @throws RefusedRequest 429 */
export function requireAllowance({ isAllowed, secondsLeft }: Allowance): void {
  if (!isAllowed) throw new RefusedRequest(tooMany(secondsLeft));
}

/** Sets `X-RateLimit-…`, which existing clients read, and the headers of the IETF draft (`RateLimit`, `RateLimit-Policy`). */
export function setRateLimitHeaders(
  response: Response,
  limit: number,
  { remaining, resetsAt, secondsLeft }: Allowance,
): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetsAt);
  response.setHeader('RateLimit-Policy', `"per-token";q=${limit};w=${WINDOW_SECONDS}`);
  response.setHeader('RateLimit', `"per-token";r=${remaining};t=${secondsLeft}`);
}
