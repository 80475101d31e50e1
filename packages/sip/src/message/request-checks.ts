/**
 * Which requests we take, in the order RFC 3261 section 8.2 lays down: method, address, extensions, content.
 */
import { headerList, headerValue, type HeaderField, type SipRequest } from './message.ts';
import { SipParseError } from './parse-error.ts';
import { parseSipUri, uriScheme } from './uri.ts';

/** Why a request is refused, and what the response must add to say so. */
export interface Refusal {
  status: number;
  headers: HeaderField[];
}

const refuse = (status: number, ...headers: HeaderField[]): Refusal => ({ status, headers });

/** Whether the body is a session description. */
export function hasSdp(request: SipRequest): boolean {
  if (request.body.length === 0) return false;
  const type = headerValue(request, 'Content-Type') ?? 'application/sdp';
  return type.split(';')[0]?.trim().toLowerCase() === 'application/sdp';
}

/**
 * Null if the request may be handled. `allowed` are the methods we know.
 *
 * @throws SipParseError when a field that must be looked at is broken
 */
export function checkRequest(request: SipRequest, allowed: readonly string[]): Refusal | null {
  if (!allowed.includes(request.method)) return refuse(405, { name: 'Allow', value: allowed.join(', ') });
  return checkAddress(request.uri) ?? checkExtensions(request) ?? checkContent(request);
}

/** We speak for `sip:` and for telephone numbers; `sips:` would promise an encryption we do not have. */
function checkAddress(uri: string): Refusal | null {
  if (uriScheme(uri) === 'tel') return null;
  const parsed = parseSipUri(uri);
  // Section 19.1.5: escaped headers make no sense in a Request-URI.
  if (parsed.headers !== null) throw new SipParseError(400, 'the Request-URI carries headers');
  return parsed.scheme === 'sips' ? refuse(416) : null;
}

/** No extension is supported, so any that is required is refused by name (section 8.2.2.3). Not in a CANCEL. */
function checkExtensions(request: SipRequest): Refusal | null {
  if (request.method === 'CANCEL') return null;
  const required = headerList(request, 'Require');
  return required.length === 0 ? null : refuse(420, { name: 'Unsupported', value: required.join(', ') });
}

function checkContent(request: SipRequest): Refusal | null {
  const hasBody = request.body.length > 0;
  if (request.method !== 'INVITE' && request.method !== 'UPDATE') return null;
  const encoding = headerValue(request, 'Content-Encoding')?.toLowerCase();
  if (hasBody && encoding !== undefined && encoding !== 'identity') {
    return refuse(415, { name: 'Accept-Encoding', value: 'identity' });
  }
  return hasBody && !hasSdp(request) ? refuse(415, { name: 'Accept', value: 'application/sdp' }) : null;
}
