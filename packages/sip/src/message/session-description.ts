/** Finds the session description in the body of a message, also among the parts of a multipart body (RFC 5621). */
import { bodyText, headerValue, type SipMessage } from './message.ts';
import { SipParseError } from './parse-error.ts';
import { parseParams, unquote, type Params } from './scan.ts';

const SDP = 'application/sdp';
const MULTIPART = 'multipart/';
const ALTERNATIVE = 'multipart/alternative';
const BLANK_LINE = '\r\n\r\n';

/** Null if the body contains none. A body without Content-Type is treated as a session description. */
export function sessionDescription(message: SipMessage): string | null {
  if (message.body.length === 0) return null;
  const { type, params } = parseContentType(headerValue(message, 'Content-Type') ?? SDP);
  if (type === SDP) return bodyText(message);
  const boundary = unquote(params.get('boundary') ?? '');
  if (!type.startsWith(MULTIPART) || boundary === '') return null;
  return describingPart(partsOf(bodyText(message), boundary));
}

/**
 * Whether a multipart body has a part that we do not understand although it has to be (`handling=required`). RFC 3261 section 20.11
 * demands 415 then. Of a multipart/alternative body one part suffices.
 */
export function requiresUnknownPart(message: SipMessage): boolean {
  const { type, params } = parseContentType(headerValue(message, 'Content-Type') ?? SDP);
  const boundary = unquote(params.get('boundary') ?? '');
  if (!type.startsWith(MULTIPART) || type === ALTERNATIVE || boundary === '') return false;
  return partsOf(bodyText(message), boundary).some((part) => {
    const head = part.split(BLANK_LINE, 1)[0] ?? '';
    return typeOfPart(head) !== SDP && handlingOf(fieldOfPart(head, ['content-disposition'])) === 'required';
  });
}

/** Whether the body is marked with `handling=optional`, so that a recipient that does not support it ignores it. */
export function isBodyOptional(message: SipMessage): boolean {
  return handlingOf(headerValue(message, 'Content-Disposition')) === 'optional';
}

function handlingOf(disposition: string | null): string | null {
  return (
    parseContentType(disposition ?? '')
      .params.get('handling')
      ?.toLowerCase() ?? null
  );
}

function parseContentType(value: string): { type: string; params: Params } {
  const semicolon = value.indexOf(';');
  const type = (semicolon === -1 ? value : value.slice(0, semicolon)).trim().toLowerCase();
  return { type, params: semicolon === -1 ? new Map() : readParams(value.slice(semicolon)) };
}

function readParams(text: string): Params {
  try {
    return parseParams(text);
  } catch (error) {
    if (error instanceof SipParseError) return new Map();
    throw error;
  }
}

/** RFC 2046 section 5.1.1: the line end before a delimiter belongs to the delimiter; the last delimiter ends with `--`. */
function partsOf(body: string, boundary: string): string[] {
  const [, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`);
  const last = parts.findIndex((part) => part.startsWith('--'));
  return last === -1 ? parts : parts.slice(0, last);
}

function describingPart(parts: readonly string[]): string | null {
  for (const part of parts) {
    const end = part.indexOf(BLANK_LINE);
    if (end !== -1 && typeOfPart(part.slice(0, end)) === SDP) return part.slice(end + BLANK_LINE.length);
  }
  return null;
}

function typeOfPart(head: string): string | null {
  const value = fieldOfPart(head, ['content-type', 'c']);
  return value === null ? null : parseContentType(value).type;
}

/** The value of a header field of a part, by its names. */
function fieldOfPart(head: string, names: readonly string[]): string | null {
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (names.includes(name)) return line.slice(colon + 1);
  }
  return null;
}
