/**
 * Keys as RTP payload (RFC 4733 section 2.3), network byte order.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +---------------+-+-+-----------+-------------------------------+
 *   |     event     |E|R| volume    |          duration             |
 *   +---------------+-+-+-----------+-------------------------------+
 *
 * The duration counts timestamp units from the packet's timestamp, which is the moment the key went down.
 */

/** Length of the payload. */
export const TELEPHONE_EVENT_BYTES = 4;
/** Keys by event code (RFC 4733 section 3.2); other events (fax, flash) are no keys. */
const KEYS = '0123456789*#ABCD';
/** Loudness of the tone the event stands for: -10 dBm0, as telephones do. */
const VOLUME = 10;

/** What one packet says of a key. */
export interface TelephoneEvent {
  /** One of 0-9 * # A-D. */
  digit: string;
  /** The key is up again. */
  isEnd: boolean;
  /** In timestamp units, so far. */
  duration: number;
}

/** Parses a payload; `null` when it is too short or no key. */
export function parseTelephoneEvent(payload: Uint8Array): TelephoneEvent | null {
  const [event, flags, high, low] = payload;
  if (event === undefined || flags === undefined || high === undefined || low === undefined) return null;
  const digit = KEYS[event];
  return digit === undefined ? null : { digit, isEnd: (flags & 0x80) !== 0, duration: (high << 8) | low };
}

/** Writes a payload of {@link TELEPHONE_EVENT_BYTES} bytes from `offset` on. */
export function writeTelephoneEvent(output: DataView, event: TelephoneEvent, offset = 0): void {
  output.setUint8(offset, KEYS.indexOf(event.digit));
  output.setUint8(offset + 1, (event.isEnd ? 0x80 : 0) | VOLUME);
  output.setUint16(offset + 2, event.duration);
}

/** Leaves out what is no key; letters become capitals. */
export function keysOf(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9*#A-D]/g, '');
}
