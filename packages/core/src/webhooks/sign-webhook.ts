/**
 * Headers of a webhook. The signature is that of Standard Webhooks: base64 of HMAC-SHA256 over `id.timestamp.body`, one
 * for each valid secret, separated by spaces. Tests verify it with the official library.
 *
 * @see https://www.standardwebhooks.com, "Signature scheme"
 */
import { createHmac } from 'node:crypto';
import type { SecretBox } from '../shared/secret-box.ts';

/** The stored secrets of a user. */
export interface SealedSecrets {
  webhookSecretSealed: string;
  webhookSecretOldSealed: string | null;
  webhookSecretOldUntil: Date | null;
}

/** The fields that the headers depend on. */
export interface UnsignedWebhook {
  /** The same for every attempt. */
  id: string;
  /** The exact body. */
  body: string;
  /** The time of this attempt. */
  at: Date;
}

const SECRET_PREFIX = 'whsec_';

/** The secrets that are valid at an instant, newest first. */
export function validSecrets(box: SecretBox, sealed: SealedSecrets, at: Date): string[] {
  const { webhookSecretSealed: current, webhookSecretOldSealed: old, webhookSecretOldUntil: until } = sealed;
  const isOldValid = old !== null && until !== null && until > at;
  return [current, ...(isOldValid ? [old] : [])].map((secret) => box.open(secret));
}

/** @param secrets - `whsec_…`; a receiver may use any of them */
export function webhookHeaders(webhook: UnsignedWebhook, secrets: readonly string[]): Record<string, string> {
  const { id, body, at } = webhook;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => `v1,${sign(`${id}.${timestamp}.${body}`, secret)}`);
  return {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function sign(content: string, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
