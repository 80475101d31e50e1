/**
 * One log line for every request: its route, its status, how long it took. Query, body and token stay out of it, because
 * they may identify people.
 */
import type { Log } from '@parley/runtime';
import type { RequestObserver } from './request-facts.ts';

/** Writes the line when the answer has ended. */
export function createRequestLog(log: Log): RequestObserver {
  return (ended) => log.info({ ...ended, durationMs: Math.round(ended.durationMs) }, 'Request answered');
}
