/**
 * What the failures of a provider mean, whatever they came as: a status, a closed socket, an error of the network. Keys that
 * a server repeats in its message are taken out of it.
 */
import { SpeechError } from '../ports.ts';

/** How much of a server's own message is kept; some send whole pages. */
const MESSAGE_LIMIT = 300;
/** Close codes of RFC 6455 for a message that is not in order, or against the policy: a bad key, a bad setting. */
const REFUSING_CODES = new Set([1007, 1008]);

/** What an error is translated with. */
export interface ErrorContext {
  /** Never to be seen in a message. */
  apiKey?: string | null;
  cause?: unknown;
}

/** Brings whatever a request can end with to one of our kinds, keeping it as `cause`. */
export function toSpeechError(error: unknown, apiKey: string | null = null): SpeechError {
  if (error instanceof SpeechError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new SpeechError('unavailable', `The provider failed: ${presentable(detail, apiKey)}`, {
    cause: error,
  });
}

/**
 * Too many requests and the server's own faults pass, so they are `unavailable`; any other refusal is about what was
 * asked or by whom, and would come again.
 */
export function statusError(status: number, body: string, context: ErrorContext = {}): SpeechError {
  const isPassing = status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
  const message = `The provider answered ${status}: ${presentable(messageIn(body), context.apiKey)}`;
  return new SpeechError(isPassing ? 'unavailable' : 'rejected', message, { cause: context.cause });
}

/** A socket that the provider closed although we were not done. */
export function closeError(code: number, reason: string, context: ErrorContext = {}): SpeechError {
  const kind = REFUSING_CODES.has(code) ? 'rejected' : 'unavailable';
  const why = reason === '' ? '' : `: ${presentable(reason, context.apiKey)}`;
  return new SpeechError(kind, `The provider closed the connection (${code})${why}`);
}

/** An error that the provider put into a message of its own. */
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
