/**
 * Checks the host of a member's own trunk. Addresses are checked against runtime's list here; names are checked again
 * when a call resolves them.
 */
import { isIP } from 'node:net';
import { isForbiddenAddress, type PrivateAddresses } from '@parley/runtime';

/** Names that never lead to a public host: RFC 6762, RFC 8375, and common names of private networks. */
const PRIVATE_NAMES = /(^|\.)(local|internal|lan|home|corp|intranet|localdomain|home\.arpa)\.?$/i;
/** RFC 6761, section 6.3: names that resolve to a loopback address. */
const LOOPBACK_NAMES = /(^|\.)localhost\.?$/i;

/**
 * True for allowed addresses, in any notation, and for names with a dot that are not known to be private.
 *
 * @param allowed - the setting TRUNK_ALLOW_PRIVATE
 */
export function isAllowedHost(host: string, allowed: PrivateAddresses): boolean {
  if (allowed === 'all') return true;
  const plain = isIP(host) === 0 ? canonicalHost(host) : host;
  if (isIP(plain) !== 0) return !isForbiddenAddress(plain, allowed);
  if (LOOPBACK_NAMES.test(plain)) return allowed === 'loopback';
  return plain.includes('.') && !PRIVATE_NAMES.test(plain);
}

/** The URL parser normalises every notation of an IPv4 address, such as `0x7f.1`. */
function canonicalHost(host: string): string {
  const url = URL.parse(`http://${host}`);
  return url ? url.hostname.replaceAll(/[[\]]/g, '') : '';
}
