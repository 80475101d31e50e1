/**
 * The RTP payload of DTMF events (RFC 4733 section 2.3), in network byte order.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +---------------+-+-+-----------+-------------------------------+
 *   |     event     |E|R| volume    |          duration             |
 *   +---------------+-+-+-----------+-------------------------------+
 *
 * The duration counts timestamp units from the timestamp of the packet, which is the start of the event.
 */

/** Length of the payload. */
export const TELEPHONE_EVENT_BYTES = 4;
/** Keys by event code (RFC 4733 section 3.2); other events (fax, flash) are ignored. */
const KEYS = '0123456789*#ABCD';
/** The power level of the tone, -10 dBm0, which is common among telephones. */
const VOLUME = 10;

/** One update of an event. */
export interface TelephoneEvent {
  /** One of 0-9 * # A-D. */
  digit: string;
  /** The E bit: the event has ended. */
  isEnd: boolean;
  /** Duration so far, in timestamp units. */
  duration: number;
}

/** Parses a payload; `null` when it is too short or not a DTMF key. */
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

/** Removes characters that are not keys; letters become upper case. */
export function keysOf(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9*#A-D]/g, '');
}
