/**
 * Posts one webhook and reports the answer, within fixed bounds: 10 s in all, 64 KiB of the answer, no redirects, only
 * to addresses that are allowed. What to send and what the answer means is core's business.
 */
import type { PrivateWebhooks } from '@parley/core';
import type { Clock } from '@parley/runtime';
import { Agent, request } from 'undici';
import { createCheckedConnector } from './checked-connection.ts';
import { forbiddenAddresses } from './webhook-addresses.ts';

interface WebhookPost {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The answer, whatever its status, or the reason why there is none. */
type WebhookOutcome = { status: number; headers: Record<string, string>; body: string } | { error: string };

export interface WebhookSender {
  /** Never rejects: a receiver that fails is an outcome like others. */
  post(webhook: WebhookPost): Promise<WebhookOutcome>;
  close(): Promise<void>;
}

export interface WebhookSenderOptions {
  clock: Clock;
  /** The setting WEBHOOK_ALLOW_PRIVATE. */
  allowPrivate: PrivateWebhooks;
  /** Default 10 s. */
  timeLimitMs?: number;
}

/** From the first step of the connection to the last byte of the answer, milliseconds. */
const TIME_LIMIT_MS = 10_000;
const BODY_LIMIT_BYTES = 64 * 1024;

/** The connections are kept for a while: many webhooks go to few receivers. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { clock, allowPrivate, timeLimitMs = TIME_LIMIT_MS } = options;
  const agent = new Agent({
    connect: createCheckedConnector({ blockList: forbiddenAddresses(allowPrivate), timeoutMs: timeLimitMs }),
    allowH2: false,
    // One limit for all of it is set below; these would only restart at every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function post(webhook: WebhookPost): Promise<WebhookOutcome> {
    const limit = new AbortController();
    const timer = clock.after(timeLimitMs, () => limit.abort());
    try {
      return await exchange(webhook, agent, limit.signal);
    } catch (error) {
      return { error: limit.signal.aborted ? 'No answer came in time' : describe(error) };
    } finally {
      timer.cancel();
    }
  }

  return { post, close: () => agent.destroy() };
}

async function exchange(webhook: WebhookPost, agent: Agent, signal: AbortSignal): Promise<WebhookOutcome> {
  const { statusCode, headers, body } = await request(webhook.url, {
    method: 'POST',
    headers: webhook.headers,
    body: webhook.body,
    dispatcher: agent,
    signal,
  });
  return { status: statusCode, headers: flatten(headers), body: await readSome(body) };
}

/**
 * The beginning of the body, as text. A body that breaks off or runs out of time keeps what came: the receiver has
 * taken the webhook, its status said so.
 */
async function readSome(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, BODY_LIMIT_BYTES - bytes));
      bytes += chunk.length;
      if (bytes >= BODY_LIMIT_BYTES) break;
    }
  } catch {
    body.destroy();
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

/** What the owner of the webhook may read; the addresses of our own network stay out of it. */
function describe(error: unknown): string {
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
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return 'The connection could not be made in time';
    default:
      return `The request failed (${code})`;
  }
}

/** Where several addresses were tried, the first failure speaks for all. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && !('code' in error && error.code)) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
