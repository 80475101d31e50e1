/**
 * The client: one function per endpoint, created by iterating over the contract. Responses are typed but not validated,
 * because a server may add fields.
 */
import { api, routesOf } from '@parley/contracts';
import type { AppRoute } from '@ts-rest/core';
import { isSuccess, type AnswerOf, type Call, type InputOf, type SuccessOf } from './endpoint.ts';
import type { RequestOptions } from './endpoint.ts';
import { toParleyError } from './parley-error.ts';
import { sendRequest, type Connection, type RawInput } from './send-request.ts';
import { wait } from './wait.ts';

type Api = typeof api;

type Endpoints<Kind extends 'throw' | 'return'> = {
  readonly [Group in keyof Api]: {
    readonly [Name in keyof Api[Group]]: Api[Group][Name] extends AppRoute
      ? Call<
          InputOf<Api[Group][Name]>,
          Kind extends 'throw' ? SuccessOf<Api[Group][Name]> : AnswerOf<Api[Group][Name]>
        >
      : never;
  };
};

/** Every endpoint; resolves with a success, rejects with a `ParleyError` otherwise. */
export type ParleyClient = Endpoints<'throw'>;

/** Every endpoint; resolves with any response of the contract, including errors. */
export type ParleyAnswers = Endpoints<'return'>;

/** How to reach an installation. */
export interface ParleyOptions {
  /** The origin, such as `https://parley.example`; a path before `/api` is kept. */
  baseUrl: string;
  /** An API token, `parley_…`. */
  token: string;
  /** Another `fetch`, for proxies and tests. */
  fetch?: typeof globalThis.fetch;
  /**
   * Maximum number of repetitions of GET requests and of requests with an `Idempotency-Key` (creates and make_call).
   * Default 2; 0 disables them.
   */
  retries?: number;
  /** With a longer `Retry-After` the error is thrown immediately. Default 60 seconds. */
  maxRetryAfterSeconds?: number;
  /** Time limit of each try, milliseconds. Default 30 seconds. */
  timeoutMs?: number;
  /** Replaces the timer in tests. */
  wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * Creates a client that throws a `ParleyError` for every status outside 2xx.
 *
 * @throws TypeError when `baseUrl` is not an http or https URL, or `token` is empty
 */
export function createParleyClient(options: ParleyOptions & { errors?: 'throw' }): ParleyClient;
/** Creates a client that returns errors too, as a union by `status`. */
export function createParleyClient(options: ParleyOptions & { errors: 'return' }): ParleyAnswers;
export function createParleyClient(
  options: ParleyOptions & { errors?: 'throw' | 'return' },
): ParleyClient | ParleyAnswers {
  const connection = connect(options);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { group, name, route } of routesOf(api)) {
    const endpoints = (groups[group] ??= {});
    endpoints[name] = async (input: RawInput = {}, request: RequestOptions = {}) => {
      const answer = await sendRequest(connection, route, input, request);
      if (options.errors !== 'return' && !isSuccess(answer.status)) throw toParleyError(answer);
      return answer;
    };
  }
  return groups as unknown as ParleyClient;
}

function connect(options: ParleyOptions): Connection {
  checkOptions(options);
  return {
    baseUrl: options.baseUrl.replace(/(?<!\/)\/+$/, ''),
    token: options.token,
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    policy: {
      maxRetries: options.retries ?? 2,
      maxWaitSeconds: options.maxRetryAfterSeconds ?? 60,
    },
    timeoutMs: options.timeoutMs ?? 30_000,
    wait: options.wait ?? wait,
    random: Math.random,
  };
}

/** @throws TypeError at once, because the first request would fail with a less clear error */
function checkOptions({ baseUrl, token }: ParleyOptions): void {
  // Older versions of Node 20 have no `URL.parse`.
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new TypeError('baseUrl must be an absolute http or https URL, such as https://parley.example');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl must have no credentials, query or fragment');
  // Other characters cannot be sent in a header; the token itself stays out of the message.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('token must be an API token: printable characters without spaces');
}
