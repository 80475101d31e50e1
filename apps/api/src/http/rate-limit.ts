/**
 * The rate limit of each token, counted in this process: with several api processes each grants the whole limit.
 * Headers: the ones existing clients know (`X-RateLimit-…`), and those of the IETF draft (`RateLimit`, `RateLimit-Policy`).
 */
import type { ServerResponse } from 'node:http';
import type { Clock } from '@parley/runtime';
import { RefusedRequest, tooMany } from '../http-errors.ts';
import { countRequest, isCurrent, WINDOW_SECONDS, type Allowance, type Window } from './rate-limit.rules.ts';

/** Old windows are dropped whenever so many have come together. */
const SWEEP_SIZE = 10_000;

/** One for each process. */
export interface RateLimit {
  /** Counts a request of a token and writes the headers. @throws RefusedRequest 429 */
  count(tokenId: number, response: ServerResponse): void;
}

/** @param limit - requests a minute */
export function createRateLimit(limit: number, clock: Clock): RateLimit {
  const windows = new Map<number, Window>();
  return {
    count(tokenId, response) {
      const nowMs = clock.now();
      if (windows.size >= SWEEP_SIZE) sweep(windows, nowMs);
      const { window, allowance } = countRequest(windows.get(tokenId), limit, nowMs);
      windows.set(tokenId, window);
      tell(response, limit, allowance);
      if (!allowance.isAllowed) throw new RefusedRequest(tooMany(allowance.secondsLeft));
    },
  };
}

function tell(response: ServerResponse, limit: number, allowance: Allowance): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', allowance.remaining);
  response.setHeader('X-RateLimit-Reset', allowance.resetsAt);
  response.setHeader('RateLimit-Policy', `"per-token";q=${limit};w=${WINDOW_SECONDS}`);
  response.setHeader('RateLimit', `"per-token";r=${allowance.remaining};t=${allowance.secondsLeft}`);
}

function sweep(windows: Map<number, Window>, nowMs: number): void {
  for (const [tokenId, window] of windows) if (!isCurrent(window, nowMs)) windows.delete(tokenId);
}
