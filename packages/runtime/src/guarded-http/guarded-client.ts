/**
 * HTTP to addresses that users choose (webhooks, tools, providers): one exchange with one time limit, at most 64 KiB of
 * the response by default, no redirects, and only to allowed addresses. The caller decides what to send and interprets
 * the response.
 */
import { Agent, request, type Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { createCheckedConnector } from './checked-connection.ts';
import { forbiddenAddresses, type PrivateAddresses } from '../forbidden-addresses.ts';

/** One request. */
export interface GuardedRequest {
  url: string;
  /** Default POST. */
  method?: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string | null;
  /** Ends the exchange before its time limit. */
  signal?: AbortSignal;
  /** True for what a member configured: {@link GuardedClientOptions.allowPrivate} is for operators. */
  isPublicOnly?: boolean;
  /** Replaces {@link GuardedClientOptions.timeLimitMs}. */
  timeLimitMs?: number;
}

/** The response, with any status, or the reason why there is none. */
export type GuardedOutcome =
  | { status: number; headers: Record<string, string>; body: string }
  /** `isUnsent`: no connection was made, so that the receiver has certainly not seen the request. */
  | { error: string; isUnsent?: true };

export interface GuardedClient {
  /** Never rejects: a failed receiver is one of the outcomes. */
  send(request: GuardedRequest): Promise<GuardedOutcome>;
  close(): Promise<void>;
}

export interface GuardedClientOptions {
  clock: Clock;
  /** The setting WEBHOOK_ALLOW_PRIVATE. Requests with `isPublicOnly` are not affected. */
  allowPrivate: PrivateAddresses;
  /** Default 10 s. */
  timeLimitMs?: number;
  /** How much of a response is read; default 64 KiB. */
  bodyLimitBytes?: number;
}

/** From the first step of the connection to the last byte of the response, milliseconds. */
const TIME_LIMIT_MS = 10_000;
const BODY_LIMIT_BYTES = 64 * 1024;
/** Responses before the final one, such as 103; servers send one or two. Without a limit they could fill the whole time. */
const MOST_INTERIM = 20;
/** Codes of failures before a connection was made. `ETIMEDOUT` is also that of a connection that was lost. */
const UNSENT = new Set([
  'ERR_IP_BLOCKED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Connections are kept alive, because many requests go to few receivers. */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const { clock, allowPrivate, timeLimitMs = TIME_LIMIT_MS, bodyLimitBytes = BODY_LIMIT_BYTES } = options;
  const agent = createAgent(allowPrivate, timeLimitMs);
  // With agents of their own, requests of members never share a kept connection to a private address.
  const publicAgent = createAgent('none', timeLimitMs);

  async function send(request: GuardedRequest): Promise<GuardedOutcome> {
    const limit = new AbortController();
    const timer = clock.after(request.timeLimitMs ?? timeLimitMs, () => limit.abort());
    const signal = request.signal ? AbortSignal.any([limit.signal, request.signal]) : limit.signal;
    try {
      const means = { agent: request.isPublicOnly ? publicAgent : agent, bodyLimitBytes };
      return await exchange(request, means, signal);
    } catch (error) {
      if (limit.signal.aborted) return { error: 'No answer came in time' };
      if (request.signal?.aborted) return { error: 'The request was given up' };
      const isUnsent = UNSENT.has(codeOf(error));
      return { error: describeConnectionFailure(error), ...(isUnsent && { isUnsent }) };
    } finally {
      timer.cancel();
    }
  }

  return {
    send,
    async close() {
      await Promise.all([agent.destroy(), publicAgent.destroy()]);
    },
  };
}

/** A client for what a member configured. It shares the connections of `client`, whose owner closes it. */
export function publicOnly(client: Pick<GuardedClient, 'send'>): Pick<GuardedClient, 'send'> {
  return { send: (request) => client.send({ ...request, isPublicOnly: true }) };
}

function createAgent(allowPrivate: PrivateAddresses, timeoutMs: number): Agent {
  return new Agent({
    connect: createCheckedConnector({ blockList: forbiddenAddresses(allowPrivate), timeoutMs }),
    allowH2: false,
    // One limit covers the whole exchange; these timers would restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function exchange(
  { url, method = 'POST', headers: sent, body: content }: GuardedRequest,
  { agent, bodyLimitBytes }: { agent: Agent; bodyLimitBytes: number },
  signal: AbortSignal,
): Promise<GuardedOutcome> {
  let interim = 0;
  const stop = new AbortController();
  const { statusCode, headers, body } = await request(url, {
    method,
    headers: sent,
    body: content ?? null,
    dispatcher: agent,
    signal: AbortSignal.any([signal, stop.signal]),
    onInfo: () => {
      interim += 1;
      if (interim > MOST_INTERIM) stop.abort(new InterimFlood());
    },
  });
  return { status: statusCode, headers: flatten(headers), body: await readSome(body, bodyLimitBytes) };
}

/** The server does not come to its answer. */
class InterimFlood extends Error {
  readonly code = 'TOO_MANY_INTERIM';
}

/**
 * The beginning of the body, as text. An incomplete body is kept as received, because the status already says that the
 * receiver accepted the request.
 */
async function readSome(body: AsyncIterable<Buffer>, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, limitBytes - bytes));
      bytes += chunk.length;
      if (bytes >= limitBytes) break;
    }
  } catch {
    // The iteration has closed the connection.
  }
  // NUL is a character that Postgres cannot store.
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\u{FFFD}');
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

/** The message for the owner of the address; it must not reveal addresses of our own network. */
export function describeConnectionFailure(error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case 'ERR_IP_BLOCKED':
      return 'The address is not public, and this server does not allow others';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'The host name cannot be resolved';
    case 'ECONNREFUSED':
      return 'The connection was refused';
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'The connection was closed before an answer came';
    case 'TOO_MANY_INTERIM':
      return 'The server sent too many responses before its answer';
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return 'The connection could not be made in time';
    default:
      return `The request failed (${code})`;
  }
}

/** Node sets the code of the first failure where several addresses were tried. */
function codeOf(error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return code;
}
