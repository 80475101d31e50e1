/** The stored form of an answer to a webhook: bounded, and without what Postgres cannot store. */
import type { GuardedOutcome } from '@parley/runtime/guarded-http';

/** The answer to one request. */
export interface StoredAnswer {
  /** Null without an answer. */
  httpStatus: number | null;
  headers: Record<string, string>;
  body: string;
  /** The reason, in one sentence, why there was no answer. */
  error: string | null;
}

/** Maximum stored size of a body, and of all headers together, bytes. */
const MAX_BYTES = 65_536;

/** @returns a copy without what Postgres cannot store */
export function storedAnswer(outcome: GuardedOutcome): StoredAnswer {
  if ('error' in outcome) return { httpStatus: null, headers: {}, body: '', error: storable(outcome.error) };
  const { status, headers, body } = outcome;
  return { httpStatus: status, headers: storableHeaders(headers), body: storable(body), error: null };
}

function storableHeaders(headers: Record<string, string>): Record<string, string> {
  let bytesLeft = MAX_BYTES;
  const kept = Object.entries(headers).filter(([name, value]) => {
    bytesLeft -= Buffer.byteLength(name) + Buffer.byteLength(value);
    return bytesLeft >= 0;
  });
  return Object.fromEntries(kept.map(([name, value]) => [name, storable(value)]));
}

/** Postgres stores neither NUL nor lone surrogates; receivers may send both. */
function storable(text: string): string {
  const cut = Buffer.from(text, 'utf8').subarray(0, MAX_BYTES).toString('utf8');
  return cut.replaceAll('\0', '').replace(/\uFFFD$/, '');
}
