/**
 * Encrypts secrets at rest: AES-256-GCM with a key derived from `SECRET_KEY` (HKDF-SHA256, RFC 5869). A sealed secret
 * is the text `v1.<iv>.<tag>.<data>`, each part in base64url. The version allows another key later.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals and opens secrets with one key. */
export interface SecretBox {
  seal(plain: string): string;
  /** @throws Error when the text is not a sealed secret, was changed, or was sealed with another key */
  open(sealed: string): string;
}

/** @param secretKey - the setting `SECRET_KEY`; without it, sealed secrets cannot be recovered */
export function createSecretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'secrets at rest', 32));
  return {
    seal(plain) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
      const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [VERSION, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join(
        '.',
      );
    },
    open(sealed) {
      const [version, iv, tag, data, ...rest] = sealed.split('.');
      if (
        version !== VERSION ||
        iv === undefined ||
        tag === undefined ||
        data === undefined ||
        rest.length > 0
      ) {
        throw new Error('This is not a sealed secret');
      }
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}
