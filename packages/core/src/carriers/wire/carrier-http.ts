/** Requests to a carrier, and what their answers mean. Credentials are in headers only, and never in errors. */
import { createGuardedClient, type GuardedClient } from '@parley/runtime/guarded-http';
import type { CoreContext } from '../../context.ts';
import { CarrierError, type CarrierErrorKind } from './carrier.ts';

/** One request. */
interface CarrierRequest {
  method: 'GET' | 'POST' | 'PATCH';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** Sends one request. @returns the JSON of an answer 2xx @throws CarrierError */
export type CarrierSend = (request: CarrierRequest) => Promise<unknown>;

/** Lists of 1,000 numbers. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** A request of a user waits for it. */
const TIME_LIMIT_MS = 15_000;
const MESSAGE_LIMIT = 300;
const DEFAULT_RETRY_SECONDS = 1;
const LONGEST_RETRY_SECONDS = 3_600;

/** The caller closes it. Only the operator's setting leads to addresses other than the carriers' own. */
export function openCarrierClient({ clock, carrierUrls }: CoreContext): GuardedClient {
  return createGuardedClient({
    clock,
    allowPrivate: carrierUrls.twilio === null && carrierUrls.telnyx === null ? 'none' : 'all',
    timeLimitMs: TIME_LIMIT_MS,
    bodyLimitBytes: BODY_LIMIT_BYTES,
  });
}

/** @param explain - reads the text of an error from a body */
export function createCarrierSend(
  client: Pick<GuardedClient, 'send'>,
  explain: (body: unknown) => string | null,
): CarrierSend {
  return async (request) => {
    const outcome = await client.send({ ...request, body: request.body ?? null });
    if ('error' in outcome)
      throw new CarrierError('uncertain', `${outcome.error}.`, { isUnsent: outcome.isUnsent === true });
    const { status, headers } = outcome;
    const body = readJson(outcome.body);
    if (status >= 200 && status < 300 && body !== undefined) return body;
    const text = (explain(body) ?? `It answered with the status ${status}.`).slice(0, MESSAGE_LIMIT);
    const kind = kindOf(status);
    throw new CarrierError(
      kind,
      text,
      kind === 'rate-limited' ? { retryAfterSeconds: retryAfter(headers) } : {},
    );
  };
}

/** Twilio limits requests by 429 before it carries them out, and so does Telnyx. */
function kindOf(status: number): CarrierErrorKind {
  if (status === 401 || status === 403) return 'unauthorised';
  if (status === 404) return 'missing';
  if (status === 429) return 'rate-limited';
  return status >= 400 && status < 500 && status !== 408 ? 'rejected' : 'uncertain';
}

/** RFC 9110, section 10.2.3, in seconds; a date is not used by either carrier. */
function retryAfter(headers: Record<string, string>): number {
  const seconds = Number(headers['retry-after'] ?? '');
  const isUsable = Number.isSafeInteger(seconds) && seconds > 0;
  return isUsable ? Math.min(seconds, LONGEST_RETRY_SECONDS) : DEFAULT_RETRY_SECONDS;
}

/** @returns undefined for what is no JSON */
function readJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}
