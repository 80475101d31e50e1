/**
 * Inspects a request in the order of RFC 3261 section 8.2: method, Request-URI, extensions, content.
 */
import type { TransportName } from './destination.ts';
import { EXTENSIONS, SUPPORTED } from './extensions.ts';
import { headerList, headerValue, type HeaderField, type SipRequest } from './message.ts';
import { SipParseError } from './parse-error.ts';
import { isBodyOptional, requiresUnknownPart, sessionDescription } from './session-description.ts';
import { parseSipUri, uriScheme } from './uri.ts';

/** The status of a refused request and the header fields that the response must add. */
export interface Refusal {
  status: number;
  headers: HeaderField[];
}

/** The bodies that we support in INVITE and UPDATE. */
export const ACCEPT: HeaderField = {
  name: 'Accept',
  value: 'application/sdp, multipart/mixed, multipart/alternative',
};

/**
 * What a 200 to OPTIONS says beside Allow. RFC 3261 section 11.2: "Allow, Accept, Accept-Encoding, Accept-Language, and Supported
 * header fields SHOULD be present in a 200 (OK) response to an OPTIONS request."
 */
export const CAPABILITIES: readonly HeaderField[] = [
  ACCEPT,
  { name: 'Accept-Encoding', value: 'identity' },
  { name: 'Accept-Language', value: 'en' },
  SUPPORTED,
];

const refuse = (status: number, ...headers: HeaderField[]): Refusal => ({ status, headers });

/**
 * Null if the request may be processed. `allowed` are the methods we support. Section 8.2.1: "If the UAS recognizes but does
 * not support the method of a request, it MUST generate a 405 (Method Not Allowed) response."
 *
 * @param transport - over which the request came
 * @throws SipParseError when a field that has to be inspected is malformed
 */
export function checkRequest(
  request: SipRequest,
  allowed: readonly string[],
  transport: TransportName,
): Refusal | null {
  if (!allowed.includes(request.method)) return refuse(405, { name: 'Allow', value: allowed.join(', ') });
  return checkAddress(request.uri, transport) ?? checkExtensions(request) ?? checkContent(request);
}

/** Accepts `sip:` and `tel:`, and `sips:` over TLS, which RFC 3261 section 26.2.2 demands for the last hop to us. */
function checkAddress(uri: string, transport: TransportName): Refusal | null {
  if (uriScheme(uri) === 'tel') return null;
  const parsed = parseSipUri(uri);
  // Table 1 in section 19.1.1: a Request-URI must not contain headers.
  if (parsed.headers !== null) throw new SipParseError(400, 'the Request-URI carries headers');
  return parsed.scheme === 'sips' && transport !== 'tls' ? refuse(416) : null;
}

/**
 * Section 8.2.2.3: "If a UAS does not understand an option-tag listed in a Require header field, it MUST respond by
 * generating a response with status code 420 (Bad Extension)." Require is ignored in CANCEL.
 */
function checkExtensions(request: SipRequest): Refusal | null {
  if (request.method === 'CANCEL') return null;
  const unknown = headerList(request, 'Require').filter((tag) => !EXTENSIONS.includes(tag.toLowerCase()));
  return unknown.length === 0 ? null : refuse(420, { name: 'Unsupported', value: unknown.join(', ') });
}

function checkContent(request: SipRequest): Refusal | null {
  const hasBody = request.body.length > 0;
  if (request.method !== 'INVITE' && request.method !== 'UPDATE') return null;
  const encoding = headerValue(request, 'Content-Encoding')?.toLowerCase();
  if (hasBody && encoding !== undefined && encoding !== 'identity') {
    return refuse(415, { name: 'Accept-Encoding', value: 'identity' });
  }
  if (hasBody && requiresUnknownPart(request)) return refuse(415, ACCEPT);
  if (!hasBody || sessionDescription(request) !== null || isBodyOptional(request)) return null;
  return refuse(415, ACCEPT);
}
