/**
 * The rate limit of a token: a fixed window of one minute that starts with its first request. Pure; the counters are in
 * `rate-limit.ts`.
 */

/** Length of a window. */
export const WINDOW_SECONDS = 60;

/** What one token has used of its current window. */
export interface Window {
  /** Milliseconds since 1970. */
  startedAtMs: number;
  /** Requests so far, refused ones included. */
  used: number;
}

/** The result for one request. */
export interface Allowance {
  isAllowed: boolean;
  /** Requests left in this window. */
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  secondsLeft: number;
  /** When it ends, Unix seconds, rounded up. */
  resetsAt: number;
}

/** Counts one request. A window that has ended, or lies in the future because the clock was set back, is replaced. */
export function countRequest(
  window: Window | undefined,
  limit: number,
  nowMs: number,
): { window: Window; allowance: Allowance } {
  const next = isCurrent(window, nowMs)
    ? { ...window, used: window.used + 1 }
    : { startedAtMs: nowMs, used: 1 };
  const endsAtMs = next.startedAtMs + WINDOW_SECONDS * 1000;
  return {
    window: next,
    allowance: {
      isAllowed: next.used <= limit,
      remaining: Math.max(0, limit - next.used),
      secondsLeft: Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)),
      resetsAt: Math.ceil(endsAtMs / 1000),
    },
  };
}

/** False when a window can be removed. */
export function isCurrent(window: Window | undefined, nowMs: number): window is Window {
  if (!window) return false;
  return nowMs >= window.startedAtMs && nowMs < window.startedAtMs + WINDOW_SECONDS * 1000;
}
