/**
 * For receivers of webhooks: verifies signature and age, and parses the event. Signatures follow Standard Webhooks
 * (standardwebhooks.com).
 */
import { webhookPayloads } from '@parley/contracts';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { z } from 'zod';

type Payloads = typeof webhookPayloads;

/** The body of a webhook, a union by `event`. */
export type WebhookEvent = { [Event in keyof Payloads]: z.output<Payloads[Event]> }[keyof Payloads];

/** A received request. */
export interface ReceivedRequest {
  /** From `node:http`, Express or `fetch`. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The bytes as received: JSON that was parsed and serialised again has another signature. */
  body: string | Uint8Array;
}

/** The request is not authentic or not valid. Answer it with 400. */
export class WebhookRefusedError extends Error {
  override readonly name = 'WebhookRefusedError';
}

/**
 * @param secrets - `whsec_…`; two while an old one is being replaced
 * @throws WebhookRefusedError without a valid signature, when older than five minutes, or for an unknown event or shape
 */
export function verifyWebhook(request: ReceivedRequest, secrets: string | readonly string[]): WebhookEvent {
  const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body);
  const headers = plainHeaders(request.headers);
  const faults = [secrets].flat().map((secret) => faultOf(secret, body, headers));
  if (!faults.includes(null)) throw new WebhookRefusedError(faults[0] ?? 'No secret was given');
  return parseEvent(parse(body));
}

/** The id of a delivery. A repeated id is a repeated event. */
export function webhookIdOf(request: Pick<ReceivedRequest, 'headers'>): string | null {
  return plainHeaders(request.headers)['webhook-id'] ?? null;
}

function plainHeaders(headers: ReceivedRequest['headers']): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** @returns null if the signature is valid */
function faultOf(secret: string, body: string, headers: Record<string, string>): string | null {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    throw error;
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new WebhookRefusedError('The body is not JSON', { cause });
  }
}

/** Accepts additional fields at any depth, which a newer server may send. */
function parseEvent(payload: unknown): WebhookEvent {
  const { event } = Object(payload) as { event?: unknown };
  const schema = Object.entries(webhookPayloads).find(([name]) => name === event)?.[1];
  if (!schema) throw new WebhookRefusedError(`The event "${String(event)}" is unknown to this version`);
  const faults = schema.safeParse(payload).error?.issues ?? [];
  const fault = faults.find(({ code }) => code !== 'unrecognized_keys');
  if (fault) throw new WebhookRefusedError(`${fault.path.join('.')}: ${fault.message}`);
  return payload as WebhookEvent;
}
