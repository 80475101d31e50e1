/**
 * Converts failures of providers into our kinds of errors: an HTTP status, a closed socket, a network error. API keys that a
 * server repeats in its message are removed.
 */
import { SpeechError } from '../ports.ts';

/** The maximum length of a server's message; some send whole pages. */
const MESSAGE_LIMIT = 300;
/** Close codes of RFC 6455, section 7.4.1, for an invalid message or a policy violation: a bad key, a bad setting. */
const REFUSING_CODES = new Set([1007, 1008]);

/** What an error is translated with. */
export interface ErrorContext {
  /** Must not appear in a message. */
  apiKey?: string | null;
  cause?: unknown;
}

/** Converts any error of a request into one of our kinds, with the original as `cause`. */
export function toSpeechError(error: unknown, apiKey: string | null = null): SpeechError {
  if (error instanceof SpeechError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new SpeechError('unavailable', `The provider failed: ${presentable(detail, apiKey)}`, {
    cause: error,
  });
}

/**
 * Too many requests and server errors are temporary, so they are `unavailable`; any other refusal concerns the request or
 * the account and would be repeated.
 */
export function statusError(status: number, body: string, context: ErrorContext = {}): SpeechError {
  const isPassing = status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
  const message = `The provider answered ${status}: ${presentable(messageIn(body), context.apiKey)}`;
  return new SpeechError(isPassing ? 'unavailable' : 'rejected', message, { cause: context.cause });
}

/** The error for a socket that the provider closed too early. */
export function closeError(code: number, reason: string, context: ErrorContext = {}): SpeechError {
  const kind = REFUSING_CODES.has(code) ? 'rejected' : 'unavailable';
  const why = reason === '' ? '' : `: ${presentable(reason, context.apiKey)}`;
  return new SpeechError(kind, `The provider closed the connection (${code})${why}`);
}

/** An error that the provider reported in a message. */
export function statedError(
  kind: SpeechError['kind'],
  detail: string,
  apiKey: string | null = null,
): SpeechError {
  return new SpeechError(kind, `The provider says: ${presentable(detail, apiKey)}`);
}

function presentable(text: string, apiKey: string | null | undefined): string {
  const clean = apiKey ? text.replaceAll(apiKey, '[key]') : text;
  return clean.slice(0, MESSAGE_LIMIT);
}

/** Errors come as `{ error: { message } }`; some servers send `{ error }`, `{ detail }`, `{ message }` or plain text. */
function messageIn(body: string): string {
  try {
    const { error, detail, message, err_msg: errMsg } = JSON.parse(body) as Record<string, unknown>;
    const found = [textOf(error), textOf(detail), message, errMsg];
    return found.find((text) => typeof text === 'string') ?? body;
  } catch {
    return body;
  }
}

function textOf(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'message' in part ? part.message : part;
}
