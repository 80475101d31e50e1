/**
 * Webhooks on the receiving side: is this one from our installation, is it fresh, and what does it say? Signatures
 * follow Standard Webhooks (standardwebhooks.com), which the library of that name checks.
 */
import { webhookPayloads } from '@parley/contracts';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { z } from 'zod';

type Payloads = typeof webhookPayloads;

/** What a webhook says; `event` tells the kinds apart. */
export type WebhookEvent = { [Event in keyof Payloads]: z.output<Payloads[Event]> }[keyof Payloads];

/** A request as it came in. */
export interface ReceivedRequest {
  /** Of `node:http`, Express or `fetch`. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The bytes as they came: JSON that was parsed and written anew has another signature. */
  body: string | Uint8Array;
}

/** The request is not to be trusted, or not to be understood. Answer with 400. */
export class WebhookRefusedError extends Error {
  override readonly name = 'WebhookRefusedError';
}

/**
 * @param secrets - `whsec_…`; two while an old one is being replaced
 * @throws WebhookRefusedError without a valid signature, when older than five minutes, or of an unknown event or form
 */
export function verifyWebhook(request: ReceivedRequest, secrets: string | readonly string[]): WebhookEvent {
  const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body);
  const headers = plainHeaders(request.headers);
  const faults = [secrets].flat().map((secret) => faultOf(secret, body, headers));
  if (!faults.includes(null)) throw new WebhookRefusedError(faults[0] ?? 'There is no secret to check with');
  return understand(parse(body));
}

/** The id of a delivery: the same one again is the same event again, and has been dealt with. */
export function webhookIdOf(request: Pick<ReceivedRequest, 'headers'>): string | null {
  return plainHeaders(request.headers)['webhook-id'] ?? null;
}

function plainHeaders(headers: ReceivedRequest['headers']): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** @returns null where the signature is good */
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
    throw new WebhookRefusedError('The body is no JSON', { cause });
  }
}

/** A newer server may have added fields, at any depth; those are let through. */
function understand(payload: unknown): WebhookEvent {
  const { event } = Object(payload) as { event?: unknown };
  const schema = Object.entries(webhookPayloads).find(([name]) => name === event)?.[1];
  if (!schema) throw new WebhookRefusedError(`The event "${String(event)}" is unknown to this version`);
  const faults = schema.safeParse(payload).error?.issues ?? [];
  const fault = faults.find(({ code }) => code !== 'unrecognized_keys');
  if (fault) throw new WebhookRefusedError(`${fault.path.join('.')}: ${fault.message}`);
  return payload as WebhookEvent;
}
