/** Secrets that are generated here and stored only as their SHA-256: tokens, cookies, links, tickets. */
import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** 256 random bits as 43 characters that are safe in URLs and cookies. */
export function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The stored form of a secret. A plain hash suffices, because a random secret cannot be guessed. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

const WEBHOOK_SECRET_BYTES = 24;

/** A webhook signing secret in the form of Standard Webhooks: `whsec_` and 24 random bytes in base64. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}`;
}
