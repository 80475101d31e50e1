/**
 * The rate limit of each token, counted in this process: with several api processes, each grants the whole limit.
 * Headers: `X-RateLimit-…`, which existing clients read, and those of the IETF draft (`RateLimit`, `RateLimit-Policy`).
 */
import type { Clock } from '@parley/runtime';
import type { Response } from 'express';
import { RefusedRequest, tooMany } from '../http-errors.ts';
import { countRequest, isCurrent, WINDOW_SECONDS, type Window } from './rate-limit.rules.ts';

/** Windows that have ended are removed whenever the table reaches this size. */
const SWEEP_SIZE = 10_000;

/** One for each process. */
export interface RateLimit {
  /**
   * Counts a request of a token, and sets the headers of its answer.
   *
   * @throws RefusedRequest 429
   */
  count(tokenId: number, response: Response): void;
}

/** @param limit - requests a minute */
export function createRateLimit(limit: number, clock: Clock): RateLimit {
  const windows = new Map<number, Window>();
  const policy = `"per-token";q=${limit};w=${WINDOW_SECONDS}`;
  return {
    count(tokenId, response) {
      const nowMs = clock.now();
      if (windows.size >= SWEEP_SIZE) sweep(windows, nowMs);
      const { window, allowance } = countRequest(windows.get(tokenId), limit, nowMs);
      windows.set(tokenId, window);
      const { remaining, resetsAt, secondsLeft } = allowance;
      response.setHeader('X-RateLimit-Limit', limit);
      response.setHeader('X-RateLimit-Remaining', remaining);
      response.setHeader('X-RateLimit-Reset', resetsAt);
      response.setHeader('RateLimit-Policy', policy);
      response.setHeader('RateLimit', `"per-token";r=${remaining};t=${secondsLeft}`);
      if (!allowance.isAllowed) throw new RefusedRequest(tooMany(secondsLeft));
    },
  };
}

function sweep(windows: Map<number, Window>, nowMs: number): void {
  for (const [tokenId, window] of windows) if (!isCurrent(window, nowMs)) windows.delete(tokenId);
}
