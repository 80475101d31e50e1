/**
 * Which hosts a member's own trunk may name: not those of this installation's own network. Only the text is checked
 * here; what a name resolves to is checked when a call uses it.
 */
import { isIP } from 'node:net';
import { isForbiddenAddress } from '@parley/runtime';

/** Names that never lead to a public host: RFC 6761, RFC 6762, RFC 8375, and what home and company networks use. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|lan|home|corp|intranet|localdomain|home\.arpa)\.?$/i;

/** True for public addresses, in any notation, and for names with a dot that are not known to be private. */
export function isPublicHost(host: string): boolean {
  const plain = isIP(host) === 0 ? canonicalHost(host) : host;
  if (isIP(plain) !== 0) return !isForbiddenAddress(plain, 'none');
  return plain.includes('.') && !PRIVATE_NAMES.test(plain);
}

/** The URL parser turns every notation of an IPv4 address, such as `0x7f.1`, into the usual one. */
function canonicalHost(host: string): string {
  const url = URL.parse(`http://${host}`);
  return url ? url.hostname.replaceAll(/[[\]]/g, '') : '';
}
