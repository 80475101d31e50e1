/**
 * The rate limit of each token, counted in this process: with several api processes each grants the whole limit.
 * Headers: the ones existing clients know (`X-RateLimit-…`), and those of the IETF draft (`RateLimit`, `RateLimit-Policy`).
 */
import type { Clock } from '@parley/runtime';
import { RefusedRequest, tooMany } from '../http-errors.ts';
import { countRequest, isCurrent, WINDOW_SECONDS, type Allowance, type Window } from './rate-limit.rules.ts';

/** Old windows are dropped whenever so many have come together. */
const SWEEP_SIZE = 10_000;

/** One for each process. */
export interface RateLimit {
  /**
   * Counts a request of a token.
   *
   * @param headers - of the answer: names and values in turns, to which this adds its own
   * @throws RefusedRequest 429
   */
  count(tokenId: number, headers: string[]): void;
}

/** @param limit - requests a minute */
export function createRateLimit(limit: number, clock: Clock): RateLimit {
  const windows = new Map<number, Window>();
  const policy = `"per-token";q=${limit};w=${WINDOW_SECONDS}`;
  return {
    count(tokenId, headers) {
      const nowMs = clock.now();
      if (windows.size >= SWEEP_SIZE) sweep(windows, nowMs);
      const { window, allowance } = countRequest(windows.get(tokenId), limit, nowMs);
      windows.set(tokenId, window);
      headers.push('X-RateLimit-Limit', String(limit), ...headersOf(allowance), 'RateLimit-Policy', policy);
      if (!allowance.isAllowed) throw new RefusedRequest(tooMany(allowance.secondsLeft));
    },
  };
}

function headersOf({ remaining, resetsAt, secondsLeft }: Allowance): string[] {
  return [
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(resetsAt),
    'RateLimit',
    `"per-token";r=${remaining};t=${secondsLeft}`,
  ];
}

function sweep(windows: Map<number, Window>, nowMs: number): void {
  for (const [tokenId, window] of windows) if (!isCurrent(window, nowMs)) windows.delete(tokenId);
}
