/**
 * One log line for every request: what was asked, what came of it, how long it took. No query, no body, no token: those
 * may name people.
 */
import type { Log } from '@parley/runtime';
import type { ExchangeObserver } from './exchange.ts';

/** Writes it when the answer is through. */
export function createRequestLog(log: Log): ExchangeObserver {
  return (ended) => log.info({ ...ended, durationMs: Math.round(ended.durationMs) }, 'Request answered');
}
