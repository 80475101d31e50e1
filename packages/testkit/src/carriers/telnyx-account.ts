/** The simulated account at Telnyx, and what it signs. */
import { generateKeyPairSync, sign } from 'node:crypto';

/** The API key of the simulated account. */
export const TELNYX_KEY = 'KEY0123456789ABCDEF_simulated';

const [KEYS, OTHER_KEYS] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];

/** The headers of a request of Telnyx. @param options.isForged - it is signed with the key of somebody else */
export function signAsTelnyx(
  body: string,
  { isForged = false, at }: { isForged?: boolean; at: Date },
): { 'telnyx-signature-ed25519': string; 'telnyx-timestamp': string } {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const { privateKey } = isForged ? OTHER_KEYS : KEYS;
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString('base64');
  return { 'telnyx-signature-ed25519': signature, 'telnyx-timestamp': timestamp };
}

/** The public key as Telnyx shows it: its 32 bytes. */
export function telnyxPublicKey(): string {
  const { x = '' } = KEYS.publicKey.export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** The id of its organisation, which is the account of TeXML commands. */
export const TELNYX_ORGANISATION = '6a9a7976-012e-45d2-9258-6f5dc68d861e';
