/** Authentication between Parley's own processes, by a shared secret. */
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares an `Authorization` header with the secret in constant time. */
export function isInternal(authorization: string | undefined, internalSecret: string): boolean {
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${internalSecret}`));
}
