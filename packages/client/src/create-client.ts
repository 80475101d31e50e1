/**
 * The client: one function for every endpoint, made by walking the contract, so that an endpoint is here as soon as it
 * is in the contract. Answers are typed, not checked: a server may add fields, and its clients must let it.
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

/** Every endpoint; resolves with a success, throws a `ParleyError` otherwise. */
export type ParleyClient = Endpoints<'throw'>;

/** Every endpoint; resolves with whatever the contract knows, errors included. */
export type ParleyAnswers = Endpoints<'return'>;

/** How to reach an installation. */
export interface ParleyOptions {
  /** Its origin, such as `https://parley.example`; a path before `/api` is kept. */
  baseUrl: string;
  /** An API token, `parley_…`. */
  token: string;
  /** Another `fetch`, for proxies and tests. */
  fetch?: typeof globalThis.fetch;
  /**
   * Repetitions of what may be repeated: GET, and creates and make_call, which carry an `Idempotency-Key`. Default 2;
   * 0 repeats nothing.
   */
  retries?: number;
  /** A longer `Retry-After` is not waited for: the error is thrown at once. Default 60 seconds. */
  maxRetryAfterSeconds?: number;
  /** For each try, milliseconds. Default 30 seconds. */
  timeoutMs?: number;
  /** Another way to wait, for tests. */
  wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Makes a client that throws a `ParleyError` for every status that is no success. */
export function createParleyClient(options: ParleyOptions & { errors?: 'throw' }): ParleyClient;
/** Makes a client that returns errors too, told apart by `status`. */
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
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
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
