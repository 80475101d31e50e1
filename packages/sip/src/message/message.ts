/**
 * A SIP message as plain data: a start line, header fields in order, a body. Field values stay text; `uri.ts`,
 * `name-addr.ts`, `via.ts` and `envelope.ts` give them meaning when someone needs it (RFC 3261 section 7).
 */
import { splitList } from './scan.ts';

/** One header line: canonical name, value without folding and surrounding blanks. */
export interface HeaderField {
  name: string;
  value: string;
}

interface MessageParts {
  /** In order. Content-Length is not among them: the body's own length says it. */
  headers: HeaderField[];
  body: Uint8Array;
}

/** A request as it crosses the wire. */
export interface SipRequest extends MessageParts {
  kind: 'request';
  /** Case-sensitive: `INVITE`, `ACK`, … or anything a stranger makes up. */
  method: string;
  /** Request-URI as written. */
  uri: string;
}

/** A response as it crosses the wire. */
export interface SipResponse extends MessageParts {
  kind: 'response';
  /** 100 to 699. */
  status: number;
  /** Text for people; may be empty. */
  reason: string;
}

export type SipMessage = SipRequest | SipResponse;

/** No body. */
export const EMPTY_BODY: Uint8Array = new Uint8Array(0);

/** First value of a field, null if the message has none. */
export function headerValue(message: SipMessage, name: string): string | null {
  return message.headers.find((field) => isNamed(field, name))?.value ?? null;
}

/** Every value of a field, one per header line, in order. */
export function headerValues(message: SipMessage, name: string): string[] {
  return message.headers.filter((field) => isNamed(field, name)).map((field) => field.value);
}

/** Every entry of a list-valued field (Via, Route, Require, …) over all its lines. @throws SipParseError */
export function headerList(message: SipMessage, name: string): string[] {
  return headerValues(message, name).flatMap((value) => (value === '' ? [] : splitList(value)));
}

/** The body as UTF-8 text. */
export function bodyText(message: SipMessage): string {
  return Buffer.from(message.body.buffer, message.body.byteOffset, message.body.byteLength).toString('utf8');
}

/** A body from text. */
export function textBody(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

function isNamed(field: HeaderField, name: string): boolean {
  return field.name === name || field.name.toLowerCase() === name.toLowerCase();
}
