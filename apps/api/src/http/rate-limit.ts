/**
 * Rate limits. They apply to each token, to failed authentications and to requests for unknown paths of each network
 * address, and to each user of the admin app. All api processes count together (`shared-windows.ts`).
 */
import type { Response } from 'express';
import { RefusedRequest, tooMany } from '../http-errors.ts';
import { WINDOW_SECONDS, type Allowance } from './rate-limit.rules.ts';
import type { SharedWindows } from './shared-windows.ts';

/** Counts requests under keys. */
export interface RateLimit {
  /** Requests per minute. */
  limit: number;
  /** Counts a request under `key`. */
  count(key: string): Allowance;
}

/**
 * @param name - distinguishes the keys of this limit from those of others
 * @param limit - requests per minute for each key
 */
export function createRateLimit(name: string, limit: number, windows: SharedWindows): RateLimit {
  return { limit, count: (key) => windows.count(`${name}\n${key}`, limit) };
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
