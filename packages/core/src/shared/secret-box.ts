/**
 * Encrypts secrets at rest: AES-256-GCM with a key derived from `SECRET_KEY` (HKDF-SHA256, RFC 5869). A sealed secret
 * is the text `v1.<iv>.<tag>.<data>`, each part in base64url. While the key is changed (docs/operations.md), secrets that
 * other keys sealed are opened as well.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A secret that was changed, or sealed with a key that this process does not have. */
export class UnknownKeyError extends Error {
  constructor() {
    super('This secret was changed, or sealed with an unknown key');
    this.name = 'UnknownKeyError';
  }
}

/** Seals secrets with one key, and opens them. */
export interface SecretBox {
  seal(plain: string): string;
  /** @throws UnknownKeyError; Error when the text is not a sealed secret */
  open(sealed: string): string;
  /**
   * @returns the secret, sealed with the current key; null when it is sealed with that key already
   * @throws UnknownKeyError; Error when the text is not a sealed secret
   */
  reseal(sealed: string): string | null;
}

/**
 * @param secretKey - the setting `SECRET_KEY`, which seals; without it, sealed secrets cannot be recovered
 * @param otherKeys - the setting `OTHER_SECRET_KEYS`: further keys that open
 */
export function createSecretBox(secretKey: string, otherKeys: readonly string[] = []): SecretBox {
  const current = derivedKey(secretKey);
  const others = otherKeys.map(derivedKey);
  const open = (sealed: string): { plain: string; isCurrent: boolean } => {
    const parts = partsOf(sealed);
    const plain = openWith(current, parts);
    if (plain !== null) return { plain, isCurrent: true };
    for (const key of others) {
      const other = openWith(key, parts);
      if (other !== null) return { plain: other, isCurrent: false };
    }
    throw new UnknownKeyError();
  };
  return {
    seal: (plain) => sealWith(current, plain),
    open: (sealed) => open(sealed).plain,
    reseal(sealed) {
      const { plain, isCurrent } = open(sealed);
      return isCurrent ? null : sealWith(current, plain);
    },
  };
}

function derivedKey(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'secrets at rest', 32));
}

function sealWith(key: Buffer, plain: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return [VERSION, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join('.');
}

interface SealedParts {
  iv: Buffer;
  tag: Buffer;
  data: Buffer;
}

/** @throws Error when the text is not a sealed secret */
function partsOf(sealed: string): SealedParts {
  const [version, ...texts] = sealed.split('.');
  const [iv, tag, data] = texts.map((text) => Buffer.from(text, 'base64url'));
  const isSealed = version === VERSION && texts.length === 3 && tag?.length === TAG_BYTES;
  if (!isSealed || !iv || !tag || !data) throw new Error('This is not a sealed secret');
  return { iv, tag, data };
}

/** @returns null when the secret was changed, or sealed with another key */
function openWith(key: Buffer, { iv, tag, data }: SealedParts): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(tag);
  const plain = decipher.update(data);
  try {
    return Buffer.concat([plain, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
