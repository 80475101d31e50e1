/** Sends one request of the contract, repeatedly where that is safe, until there is a response. */
import { keyingOf, metadataOf, type CsvUpload } from '@parley/contracts';
import type { AppRoute } from '@ts-rest/core';
import type { Answer, RequestOptions } from './endpoint.ts';
import { ParleyConnectionError, retryAfterOf } from './parley-error.ts';
import { decideRetry, type RetryPolicy } from './retry.rules.ts';
import { isRepeatableUpload, uploadInit, type UploadInit } from './upload-body.ts';

/** The address and the policies of a client. */
export interface Connection {
  /** Without a trailing slash. */
  baseUrl: string;
  token: string;
  fetch: typeof globalThis.fetch;
  policy: RetryPolicy;
  /** Time limit of each try. */
  timeoutMs: number;
  wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  random: () => number;
}

type Query = Record<string, string | number | boolean | null | undefined>;

/** The untyped input of an endpoint. */
export interface RawInput {
  params?: Record<string, string | number>;
  query?: Query;
  body?: unknown;
}

interface Prepared {
  url: string;
  method: string;
  headers: Headers;
  /** Creates the body of each try. */
  content: () => UploadInit | object;
  isRepeatable: boolean;
  /** Time limit of each try, milliseconds; null for files and event streams. */
  timeoutMs: number | null;
}

/**
 * @throws ParleyConnectionError when there was no response
 * @throws the reason of `options.signal` once it is aborted
 */
export async function sendRequest(
  connection: Connection,
  route: AppRoute,
  input: RawInput,
  options: RequestOptions,
): Promise<Answer> {
  const request = prepare(connection, route, input, options);
  const { signal } = options;
  for (let number = 1; ; number += 1) {
    const outcome = await tryOnce(connection, request, signal);
    const waitMs = decideRetry(
      { number, isRepeatable: request.isRepeatable, ...factsOf(outcome) },
      connection.policy,
      connection.random(),
    );
    if (waitMs === null && outcome instanceof Error) throw outcome;
    if (waitMs === null) return outcome as Answer;
    await connection.wait(waitMs, signal);
  }
}

function factsOf(outcome: Answer | ParleyConnectionError) {
  if (outcome instanceof Error) return { status: null, retryAfterSeconds: null };
  return { status: outcome.status, retryAfterSeconds: retryAfterOf(outcome.headers) };
}

function prepare(
  connection: Connection,
  route: AppRoute,
  input: RawInput,
  options: RequestOptions,
): Prepared {
  const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${connection.token}` });
  const { upload, isEventStream = false } = metadataOf(route);
  const isKeyed = keyingOf(route) !== 'none';
  const file = upload === undefined || input.body === undefined ? null : (input.body as CsvUpload);
  if (input.body !== undefined) headers.set('content-type', upload ?? 'application/json');
  if (isKeyed) headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  return {
    url: connection.baseUrl + pathOf(route.path, input.params ?? {}) + queryOf(input.query ?? {}),
    method: route.method,
    headers,
    content: file === null ? jsonContent(input.body) : () => uploadInit(file, options.onUpload),
    isRepeatable: (isKeyed || route.method === 'GET') && (file === null || isRepeatableUpload(file)),
    timeoutMs: file === null && !isEventStream ? connection.timeoutMs : null,
  };
}

function jsonContent(body: unknown): () => object {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  return () => content;
}

function pathOf(pattern: string, params: Record<string, string | number>): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

/** Leaves out undefined and null. */
function queryOf(query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) given.append(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}

async function tryOnce(
  connection: Connection,
  { url, method, headers: sent, content, timeoutMs }: Prepared,
  signal: AbortSignal | undefined,
): Promise<Answer | ParleyConnectionError> {
  const limits = timeoutMs === null ? [] : [AbortSignal.timeout(timeoutMs)];
  if (signal) limits.push(signal);
  try {
    const init = { method, headers: sent, ...content(), signal: AbortSignal.any(limits) };
    const response = await connection.fetch(url, init);
    const { status, headers } = response;
    return { status, headers, requestId: headers.get('x-request-id'), body: parse(await response.text()) };
  } catch (cause) {
    signal?.throwIfAborted();
    return new ParleyConnectionError(`${method} ${new URL(url).origin}: no response`, { cause });
  }
}

/** @returns parsed JSON, or the text if it is not JSON, for example from a proxy */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
