/**
 * A SIP message as plain data (RFC 3261 section 7): start line, header fields in order, body. Field values stay text;
 * `uri.ts`, `name-addr.ts`, `via.ts` and `envelope.ts` parse them on demand.
 */
import { splitList } from './scan.ts';

/** One header line: canonical name, value without folding and surrounding whitespace. */
export interface HeaderField {
  name: string;
  value: string;
}

interface MessageParts {
  /** In order, without Content-Length, which follows from the body. */
  headers: HeaderField[];
  body: Uint8Array;
}

/** A request. */
export interface SipRequest extends MessageParts {
  kind: 'request';
  /** Case-sensitive: `INVITE`, `ACK`, … or any other token. */
  method: string;
  /** The Request-URI as written. */
  uri: string;
}

/** A response. */
export interface SipResponse extends MessageParts {
  kind: 'response';
  /** 100 to 699. */
  status: number;
  /** The reason phrase; may be empty. */
  reason: string;
}

export type SipMessage = SipRequest | SipResponse;

/** An empty body. */
export const EMPTY_BODY: Uint8Array = new Uint8Array(0);

/** The Content-Type of a session description. */
export const SDP_TYPE: HeaderField = { name: 'Content-Type', value: 'application/sdp' };

/** The first value of a field, null if the message has none. */
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
