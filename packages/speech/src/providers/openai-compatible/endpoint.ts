/**
 * A server of the OpenAI wire protocol, hosted or local: where it is, how to ask it, and what its failures mean. Hosted
 * providers, Ollama, llama.cpp, LM Studio, vLLM, LocalAI, speaches and many others speak it.
 */
import { APICallError } from 'ai';
import { SpeechError } from '../../ports.ts';

/** One account on one server. */
export interface OpenAiEndpoint {
  /** Up to and including the version, for example `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  /** Local servers often need none. */
  apiKey: string | null;
}

/** How much of a server's own message is kept; some send whole pages. */
const MESSAGE_LIMIT = 300;

/**
 * Sends a request and waits for the head of the reply.
 *
 * @param path - below the base URL, with a leading slash
 * @throws SpeechError when the server refuses or cannot be reached; the signal's reason when it is aborted
 */
export async function post(
  endpoint: OpenAiEndpoint,
  path: string,
  body: FormData | Record<string, unknown>,
  signal: AbortSignal,
): Promise<Response> {
  const headers = new Headers();
  if (endpoint.apiKey) headers.set('authorization', `Bearer ${endpoint.apiKey}`);
  if (!(body instanceof FormData)) headers.set('content-type', 'application/json');
  const response = await fetch(`${trimmedUrl(endpoint)}${path}`, {
    method: 'POST',
    headers,
    body: body instanceof FormData ? body : JSON.stringify(body),
    signal,
  }).catch((error: unknown) => {
    throw signal.aborted ? error : toSpeechError(error);
  });
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  throw statusError(response.status, text);
}

/** The base URL without slashes at its end. */
export function trimmedUrl({ baseUrl }: OpenAiEndpoint): string {
  return baseUrl.replace(/\/+$/, '');
}

/** Brings whatever a request can end with to one of our kinds, keeping it as `cause`. */
export function toSpeechError(error: unknown): SpeechError {
  if (error instanceof SpeechError) return error;
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 400)
    return statusError(error.statusCode, error.responseBody ?? '', error);
  const detail = error instanceof Error ? error.message : String(error);
  return new SpeechError('unavailable', `The provider failed: ${detail.slice(0, MESSAGE_LIMIT)}`, {
    cause: error,
  });
}

/**
 * Too many requests and the server's own faults pass, so they are `unavailable`; any other refusal is about what was
 * asked or by whom, and would come again.
 */
function statusError(status: number, body: string, cause?: unknown): SpeechError {
  const isPassing = status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
  const message = `The provider answered ${status}: ${messageIn(body).slice(0, MESSAGE_LIMIT)}`;
  return new SpeechError(isPassing ? 'unavailable' : 'rejected', message, { cause });
}

/** Errors come as `{ error: { message } }`; some servers send `{ error }`, `{ detail }` or plain text. */
function messageIn(body: string): string {
  try {
    const parsed = JSON.parse(body) as { error?: { message?: unknown } | string; detail?: unknown };
    const message = typeof parsed.error === 'object' ? parsed.error.message : (parsed.error ?? parsed.detail);
    return typeof message === 'string' ? message : body;
  } catch {
    return body;
  }
}
