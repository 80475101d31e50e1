/**
 * The signature of Telnyx's requests: base64 of Ed25519 over the time at which it was made, a bar, and the body as it was sent.
 * The address of the request is not part of it.
 *
 * @see https://developers.telnyx.com/api-reference/callbacks/texml-http-request
 */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/** How far the time of a request may be from ours, seconds: what Telnyx's own libraries allow. */
const TOLERANCE_SECONDS = 300;
/** Base64 of 64 bytes. */
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;
/** Unix time, seconds. */
const TIMESTAMP = /^\d{1,12}$/;
/** Base64 of 32 bytes. */
const PUBLIC_KEY = /^[A-Za-z0-9+/]{43}=$/;

/** What a request shows. */
export interface TelnyxProof {
  /** The header `telnyx-signature-ed25519`. */
  signature: string;
  /** The header `telnyx-timestamp`. */
  timestamp: string;
  /** The body, as it was sent. */
  body: string;
}

/** @param text - as Telnyx shows it: base64 of the 32 bytes of the key @returns null when it is none */
export function readTelnyxKey(text: string): KeyObject | null {
  if (!PUBLIC_KEY.test(text)) return null;
  const x = Buffer.from(text, 'base64').toString('base64url');
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  } catch {
    return null;
  }
}

/** Whether a request can be Telnyx's, before anything is looked up. */
export function hasTelnyxForm({ signature, timestamp }: TelnyxProof): boolean {
  return SIGNATURE.test(signature) && TIMESTAMP.test(timestamp);
}

/** @param publicKey - of the account @param at - our time: a request that is older could be one that was recorded */
export function isSignedByTelnyx(publicKey: string, proof: TelnyxProof, at: Date): boolean {
  const { signature, timestamp, body } = proof;
  const key = readTelnyxKey(publicKey);
  if (!key || !hasTelnyxForm(proof)) return false;
  if (Math.abs(at.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  return verify(null, Buffer.from(`${timestamp}|${body}`), key, Buffer.from(signature, 'base64'));
}
