/** Secrets that are made here and kept only as their SHA-256: tokens, cookies, links, tickets. */
import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** 256 random bits as 43 characters that are safe in addresses and cookies. */
export function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** What is stored of a secret. A plain hash will do: the secret is random, so there is nothing to guess. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

const WEBHOOK_SECRET_BYTES = 24;

/** A webhook signing secret in the form of Standard Webhooks: `whsec_` and 24 random bytes in base64. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}`;
}
