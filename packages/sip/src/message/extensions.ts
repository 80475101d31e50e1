/**
 * The SIP extensions that we support (RFC 3261 section 19.2): reliable provisional responses (RFC 3262), session timers
 * (RFC 4028), calls that replace another one (RFC 3891), and REFER without a subscription (RFC 4488).
 */
import { headerValues, type HeaderField, type SipMessage } from './message.ts';

/** The option tag of RFC 3262. */
export const RELIABLE = '100rel';
/** The option tag of RFC 4028. */
export const TIMER = 'timer';
/** The option tag of RFC 3891. */
export const REPLACES = 'replaces';
/** The option tag of RFC 4488. */
const NO_REFER_SUBSCRIPTION = 'norefersub';
/** All option tags that we support. */
export const EXTENSIONS: readonly string[] = [RELIABLE, TIMER, REPLACES, NO_REFER_SUBSCRIPTION];
/** The Supported header field. */
export const SUPPORTED: HeaderField = { name: 'Supported', value: EXTENSIONS.join(', ') };

/** Whether a field lists an option tag. Never throws: a response with a malformed list must still end its transaction. */
export function hasOption(message: SipMessage, field: 'Require' | 'Supported', tag: string): boolean {
  return headerValues(message, field).some((value) =>
    value.split(',').some((entry) => entry.trim().toLowerCase() === tag),
  );
}

/** Whether the sender allows a method: Allow lists it (RFC 3261 section 20.5). Null if the message has no Allow. */
export function allowsMethod(message: SipMessage, method: string): boolean | null {
  const values = headerValues(message, 'Allow');
  if (values.length === 0) return null;
  return values.some((value) => value.split(',').some((entry) => entry.trim() === method));
}
