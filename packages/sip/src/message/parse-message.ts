/**
 * Parses bytes into a message (RFC 3261 section 7). Lenient where the grammar is (folding, compact names, whitespace),
 * strict where two parsers could disagree. The meaning of the mandatory fields is parsed in `envelope.ts`.
 */
import { isStream, type TransportName } from './destination.ts';
import { canonicalName, SINGLE_FIELDS } from './header-names.ts';
import { MAX_BODY_BYTES, MAX_HEADER_FIELDS, MAX_MESSAGE_BYTES } from './limits.ts';
import type { HeaderField, SipMessage, SipRequest, SipResponse } from './message.ts';
import { EMPTY_BODY } from './message.ts';
import { malformed, SipParseError } from './parse-error.ts';
import { isToken } from './scan.ts';

const CR = 13;
const LF = 10;
const VERSION = /^SIP\/2\.0$/i;
const ANY_VERSION = /^SIP\/\d{1,9}\.\d{1,9}$/i;
const STATUS_LINE = /^SIP\/2\.0 +(\d{3})(?: (.*))?$/is;
const DIGITS = /^\d{1,9}$/;
const decoder = new TextDecoder('utf-8');

/** A malformed request whose start line and some headers could be read, so that it can be answered. */
export class MalformedRequestError extends SipParseError {
  readonly request: SipRequest;

  constructor(cause: SipParseError, request: SipRequest) {
    super(cause.status, cause.message);
    this.request = request;
  }
}

/**
 * Parses one complete message: a datagram, or a frame of a stream.
 *
 * @param transport - a stream requires a Content-Length (RFC 3261 section 20.14)
 * @throws SipParseError and nothing else; a {@link MalformedRequestError} when the headers of a request could be read
 */
export function parseMessage(input: Uint8Array | string, transport: TransportName = 'udp'): SipMessage {
  const bytes = typeof input === 'string' ? Buffer.from(input, 'utf8') : input;
  if (bytes.length > MAX_MESSAGE_BYTES) throw new SipParseError(413, 'the message is too large');
  const start = skipLineEnds(bytes);
  const headEnd = findHeadEnd(bytes, start);
  if (headEnd === -1) throw malformed('the header section does not end');
  const [startLine = '', ...lines] = unfold(decoder.decode(bytes.subarray(start, headEnd))).split('\r\n');
  const message = parseStartLine(startLine, lines);
  return finish(message, [startLine, ...lines], { rest: bytes.subarray(headEnd + 4), transport });
}

/** What follows the head of a message, and over what it came. */
interface BehindHead {
  rest: Uint8Array;
  transport: TransportName;
}

/** Parses headers and body into `message`. An error in them can be answered if this is a request. */
function finish(message: SipMessage, [startLine = '', ...lines]: string[], behind: BehindHead): SipMessage {
  try {
    if (message.kind === 'request') checkVersion(startLine);
    if (lines.length > MAX_HEADER_FIELDS)
      throw new SipParseError(413, 'the message has too many header fields');
    message.headers = lines.map(parseHeaderLine);
    refuseNul(startLine, message.headers);
    checkSingles(message.headers);
    message.body = cutBody(message.headers, behind);
    if (message.body.length > MAX_BODY_BYTES) throw new SipParseError(413, 'the body is too large');
    message.headers = message.headers.filter((field) => field.name !== 'Content-Length');
    return message;
  } catch (error) {
    if (!(error instanceof SipParseError) || message.kind === 'response') throw error;
    message.headers = readableHeaders(lines);
    throw new MalformedRequestError(error, message);
  }
}

/** Section 7.5: implementations "MUST ignore any CRLF appearing before the start-line". */
function skipLineEnds(bytes: Uint8Array): number {
  let at = 0;
  while (bytes[at] === CR && bytes[at + 1] === LF) at += 2;
  return at;
}

/** Index of the CRLF CRLF that ends the header section, -1 if there is none. */
export function findHeadEnd(bytes: Uint8Array, from = 0): number {
  for (let at = bytes.indexOf(CR, from); at !== -1; at = bytes.indexOf(CR, at + 1)) {
    if (bytes[at + 1] === LF && bytes[at + 2] === CR && bytes[at + 3] === LF) return at;
  }
  return -1;
}

/** Joins the lines of each header field that was folded. */
export function unfold(head: string): string {
  return head.replaceAll(/\r\n[ \t]+/g, ' ');
}

function parseStartLine(line: string, headerLines: readonly string[]): SipMessage {
  return /^SIP\//i.test(line) ? parseStatusLine(line) : parseRequestLine(line, headerLines);
}

function parseStatusLine(line: string): SipResponse {
  const match = STATUS_LINE.exec(line);
  const status = Number(match?.[1]);
  if (!match || status < 100 || status > 699) throw malformed('the status line is malformed');
  return { kind: 'response', status, reason: match[2]?.trim() ?? '', headers: [], body: EMPTY_BODY };
}

/**
 * Exactly one space between the three parts, nothing before or after (section 7.1). With other spaces the request gets 400
 * (RFC 4475 sections 3.1.2.8 to 3.1.2.10), so that its sender does not repeat it.
 */
function parseRequestLine(line: string, headerLines: readonly string[]): SipRequest {
  const [method = '', uri = '', version = '', ...more] = line.split(' ');
  const request: SipRequest = { kind: 'request', method, uri, headers: [], body: EMPTY_BODY };
  const isWhole = isToken(method) && uri !== '' && ANY_VERSION.test(version) && more.length === 0;
  if (isWhole) return request;
  const error = malformed('the request line is malformed');
  if (!isToken(method) || !/ SIP\/2\.0 {0,9}$/i.test(line)) throw error;
  request.headers = readableHeaders(headerLines);
  throw new MalformedRequestError(error, request);
}

function checkVersion(requestLine: string): void {
  const version = requestLine.slice(requestLine.lastIndexOf(' ') + 1);
  if (!VERSION.test(version)) throw new SipParseError(505, 'the request is of another SIP version');
}

function parseHeaderLine(line: string): HeaderField {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon)).trimEnd();
  if (!isToken(name)) throw malformed('a header line has no valid name');
  return { name: canonicalName(name), value: line.slice(colon + 1).trim() };
}

/** The header lines of a malformed request that can be parsed, for the response to it. */
function readableHeaders(lines: readonly string[]): HeaderField[] {
  return lines.slice(0, MAX_HEADER_FIELDS).flatMap(readableHeader);
}

function readableHeader(line: string): HeaderField[] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon)).trimEnd();
  // The answer copies some of the values, and must be well-formed itself.
  const value = line
    .slice(colon + 1)
    .replaceAll('\0', '')
    .trim();
  return isToken(name) ? [{ name: canonicalName(name), value }] : [];
}

/**
 * Refuses NUL characters: Postgres cannot store them, and parts of a dialog are stored. The grammar allows an escaped NUL in a
 * quoted name (RFC 4475 section 3.1.1.2); the names in From and To are not part of the dialog.
 */
function refuseNul(startLine: string, headers: readonly HeaderField[]): void {
  const isEscaped = ({ name, value }: HeaderField): boolean =>
    (name === 'From' || name === 'To') && !/(?<!\\)\0/.test(value);
  if (startLine.includes('\0') || headers.some((field) => field.value.includes('\0') && !isEscaped(field)))
    throw malformed('a header field has a NUL character');
}

function checkSingles(headers: readonly HeaderField[]): void {
  const seen = new Set<string>();
  for (const { name } of headers) {
    if (!SINGLE_FIELDS.has(name)) continue;
    if (seen.has(name)) throw malformed(`${name} occurs more than once`);
    seen.add(name);
  }
}

/**
 * Section 18.3: "If there are additional bytes in the transport packet beyond the end of the body, they MUST be discarded.
 * If the transport packet ends before the end of the message body, this is considered an error." Section 20.14: over a stream, "the
 * Content-Length header field MUST be used."
 */
function cutBody(headers: readonly HeaderField[], { rest, transport }: BehindHead): Uint8Array {
  const text = headers.find((field) => field.name === 'Content-Length')?.value;
  if (text === undefined && isStream(transport)) throw malformed('Content-Length is missing');
  if (text === undefined) return rest;
  if (!DIGITS.test(text)) throw malformed('Content-Length is not a number');
  const length = Number(text);
  // The framer of a stream does not wait for a body that is too large.
  if (length > MAX_BODY_BYTES && isStream(transport)) throw new SipParseError(413, 'the body is too large');
  if (length > rest.length) throw malformed('the body is shorter than Content-Length');
  return rest.subarray(0, length);
}
