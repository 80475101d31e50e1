/**
 * What follows the outcome of a REGISTER: when the next one is sent, and what is reported. Pure: randomness is passed in.
 *
 * | outcome                                             | next REGISTER                                          |
 * |-----------------------------------------------------|--------------------------------------------------------|
 * | 2xx                                                 | at 50 to 90 % of the time granted                      |
 * | 423 with a longer time                              | at once, with that time                                |
 * | 3xx, wrong credentials, 403, 404, other 4xx, 6xx    | after 5 minutes: the settings must be corrected        |
 * | 5xx, 408, 429, 480, 491, no answer, transport, rest | with back-off from 30 s to 5 minutes                   |
 *
 * Retry-After of a refusal replaces the back-off and prolongs the 5 minutes.
 */
import type { RegisterOutcome } from '@parley/sip';

/** An outcome, or the reason why no REGISTER could be sent. */
export type AttemptOutcome = RegisterOutcome | { by: 'no-address'; reason: string };

/** What the decision depends on besides the outcome. */
export interface AttemptHistory {
  /** Failed attempts since the last success. */
  failures: number;
  /** The time that the request asked for. */
  askedSeconds: number;
  /** The request before this one had got 423, too. */
  wasTooBrief: boolean;
  /** From 0 up to, not including, 1. */
  random: number;
}

/** What to do next. */
export type NextStep =
  | { type: 'registered'; statusCode: number; expiresSeconds: number; refreshMs: number }
  | { type: 'ask-longer'; expiresSeconds: number }
  | { type: 'failed'; statusCode: number | null; error: string; waitMs: number };

const BASE_MS = 30_000;
const MAX_MS = 300_000;
/** The wait after a refusal that repetition does not change. */
const LONG_MS = 300_000;
/** Limits of Retry-After: a registrar must neither make us flood it nor silence us for days. */
const MIN_RETRY_AFTER_S = 5;
const MAX_RETRY_AFTER_S = 3600;
/** Retry-After is prolonged by up to this share, so that the clients of a registrar do not all return at once. */
const RETRY_AFTER_SPREAD = 0.1;
const [REFRESH_FROM, REFRESH_TO] = [0.5, 0.9];
/** Client errors that may pass: Request Timeout, Too Many Requests, Temporarily Unavailable, Request Pending. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 480, 491]);
const REASON_LENGTH = 80;

const REFUSALS = {
  unsupported: 'The registrar asks for a kind of authentication that is not supported',
  'wrong-credentials': 'The registrar does not accept the user name or the password',
  'stale-again': 'The registrar calls each of its own nonces stale',
};

/** Decides about one outcome. */
export function nextStep(outcome: AttemptOutcome, history: AttemptHistory): NextStep {
  switch (outcome.by) {
    case 'grant':
      return afterGrant(outcome, history);
    case 'too-brief':
      return afterTooBrief(outcome, history);
    case 'redirect':
      return fail(outcome.status, redirectError(outcome.targets), LONG_MS);
    case 'challenge': {
      const waitMs = outcome.refusal === 'stale-again' ? backOffMs(history) : LONG_MS;
      return fail(outcome.status, REFUSALS[outcome.refusal], waitMs);
    }
    case 'response':
      return afterRefusal(outcome, history);
    case 'foreign-answer':
      return fail(null, 'The registrar sent an answer that belongs to another request', backOffMs(history));
    case 'no-response':
      return fail(null, 'The registrar does not answer', backOffMs(history));
    case 'transport':
      return fail(null, 'The registrar could not be reached over the network', backOffMs(history));
    case 'no-address':
      return fail(null, `The registrar has no usable address: ${outcome.reason}`, backOffMs(history));
  }
}

/**
 * RFC 5626 section 4.5: the upper bound is min(max-time, base-time * 2 ^ consecutive-failures), and the wait is "a uniform
 * random time between 50 and 100 percent" of it. Our base-time is that of the RFC, 30 s; our max-time is 5 minutes, not 30.
 */
export function backOffMs({ failures, random }: Pick<AttemptHistory, 'failures' | 'random'>): number {
  const upperMs = Math.min(MAX_MS, BASE_MS * 2 ** (failures + 1));
  return upperMs * (0.5 + random / 2);
}

function afterGrant(
  { status, expiresSeconds }: Extract<RegisterOutcome, { by: 'grant' }>,
  history: AttemptHistory,
): NextStep {
  if (expiresSeconds === 0)
    return fail(status, 'The registrar accepted the request, but grants no time at all', backOffMs(history));
  const share = REFRESH_FROM + history.random * (REFRESH_TO - REFRESH_FROM);
  const refreshMs = expiresSeconds * 1000 * share;
  return { type: 'registered', statusCode: status, expiresSeconds, refreshMs };
}

/** RFC 3261 section 10.2.8: the client "MAY retry the registration after making the expiration interval" long enough. */
function afterTooBrief(
  { status, minExpiresSeconds }: Extract<RegisterOutcome, { by: 'too-brief' }>,
  history: AttemptHistory,
): NextStep {
  const isUsable = minExpiresSeconds !== null && minExpiresSeconds > history.askedSeconds;
  if (isUsable && !history.wasTooBrief) return { type: 'ask-longer', expiresSeconds: minExpiresSeconds };
  return fail(status, 'The registrar accepts none of the times that it asks for', backOffMs(history));
}

function afterRefusal(
  { status, reason, retryAfterSeconds }: Extract<RegisterOutcome, { by: 'response' }>,
  history: AttemptHistory,
): NextStep {
  const isPassing = PASSING.has(status) || (status >= 500 && status < 600);
  const askedMs = retryAfterMs(retryAfterSeconds, history.random);
  const waitMs = isPassing ? (askedMs ?? backOffMs(history)) : Math.max(LONG_MS, askedMs ?? 0);
  const phrase = `${status} ${reason.slice(0, REASON_LENGTH)}`.trimEnd();
  return fail(status, `The registrar refuses the registration: ${phrase}`, waitMs);
}

function retryAfterMs(seconds: number | null, random: number): number | null {
  if (seconds === null || seconds === 0) return null;
  const bounded = Math.min(Math.max(seconds, MIN_RETRY_AFTER_S), MAX_RETRY_AFTER_S);
  return bounded * 1000 * (1 + random * RETRY_AFTER_SPREAD);
}

function redirectError(targets: readonly string[]): string {
  const named = targets.length === 0 ? 'an address that it does not name' : targets.join(', ');
  return `The registrar redirects to ${named}, which is not followed`;
}

function fail(statusCode: number | null, error: string, waitMs: number): NextStep {
  return { type: 'failed', statusCode, error, waitMs };
}
