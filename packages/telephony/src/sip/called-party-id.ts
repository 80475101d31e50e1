/** The P-Called-Party-ID header of an INVITE. */
import { parseNameAddr, SipParseError, userOf, type HeaderField } from '@parley/sip';

const NAME = 'p-called-party-id';

/**
 * The user part of P-Called-Party-ID; empty without one. A proxy inserts it (RFC 7315 section 4.2): it
 * contains the Request-URI that the proxy received, and then replaced by the address of the device.
 */
export function calledPartyId(headers: readonly HeaderField[]): string {
  const value = headers.find(({ name }) => name.toLowerCase() === NAME)?.value;
  if (value === undefined) return '';
  try {
    return userOf(parseNameAddr(value).uri);
  } catch (error) {
    if (error instanceof SipParseError) return '';
    throw error;
  }
}
