/**
 * SIP URIs (RFC 3261 section 19.1) and the telephone number in them (also `tel:`, RFC 3966).
 *
 *     sip:user:password@host:port;parameters?headers
 */
import { malformed, SipParseError } from './parse-error.ts';
import { formatParams, parseParams, type Params } from './scan.ts';

/** The parts of a `sip:` or `sips:` URI. Escapes are kept. */
export interface SipUri {
  scheme: 'sip' | 'sips';
  /** User and password as written, null without `@`. */
  userInfo: string | null;
  /** Host name, IPv4 address, or IPv6 address without brackets; lower case. */
  host: string;
  port: number | null;
  params: Params;
  /** The text after `?`, null without `?`. */
  headers: string | null;
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const FORBIDDEN = /[\s<>"{}|\\^`]/;
/** Control characters and anything outside ASCII must be escaped in a URI. */
const NOT_PRINTABLE = /[^!-~]/;
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const HOST = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/;
const IPV6 = /^[0-9A-Fa-f:.]+$/;
const PORT = /^\d{1,5}$/;

/** The scheme in lower case. @throws SipParseError 400 when the text is not a URI */
export function uriScheme(text: string): string {
  const scheme = SCHEME.exec(text)?.[1];
  if (scheme === undefined || FORBIDDEN.test(text) || NOT_PRINTABLE.test(text)) throw malformed('not a URI');
  return scheme.toLowerCase();
}

/**
 * Parses a SIP URI.
 *
 * @throws SipParseError 400 for malformed text, 416 for another scheme
 */
export function parseSipUri(text: string): SipUri {
  const scheme = uriScheme(text);
  if (scheme !== 'sip' && scheme !== 'sips') throw new SipParseError(416, 'not a SIP URI');
  if (BROKEN_ESCAPE.test(text)) throw malformed('a URI has a malformed escape');
  const [address, headers] = cut(text.slice(scheme.length + 1), '?');
  const at = address.indexOf('@');
  const [hostPort, params] = cut(address.slice(at + 1), ';');
  if (at === 0) throw malformed('a URI has an empty user part');
  return {
    scheme,
    userInfo: at === -1 ? null : address.slice(0, at),
    ...parseHostPort(hostPort),
    params: parseParams(params === undefined ? '' : `;${params}`),
    headers: headers ?? null,
  };
}

/**
 * Parses `host`, `host:port`, `[IPv6]` or `[IPv6]:port`; whitespace around the colon is allowed, as in Via.
 *
 * @throws SipParseError
 */
export function parseHostPort(text: string): { host: string; port: number | null } {
  const trimmed = text.trim();
  const hostEnd = trimmed.startsWith('[') ? trimmed.indexOf(']') + 1 : trimmed.indexOf(':');
  const host = (hostEnd <= 0 ? trimmed : trimmed.slice(0, hostEnd)).trim();
  const rest = hostEnd <= 0 ? '' : trimmed.slice(hostEnd).trim();
  if (rest !== '' && !rest.startsWith(':')) throw malformed('a host is followed by unexpected text');
  return { host: checkHost(host), port: rest === '' ? null : parsePort(rest.slice(1).trim()) };
}

function checkHost(host: string): string {
  if (!host.startsWith('[')) {
    if (HOST.test(host)) return host.toLowerCase();
    throw malformed('a host is malformed');
  }
  const address = host.slice(1, -1);
  if (!host.endsWith(']') || !IPV6.test(address)) throw malformed('an IPv6 address is malformed');
  return address.toLowerCase();
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!PORT.test(text) || port > 65_535) throw malformed('a port is malformed');
  return port;
}

/** `host` or `host:port`, an IPv6 address in brackets. */
export function formatHostPort(host: string, port: number | null): string {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return port === null ? bracketed : `${bracketed}:${port}`;
}

/** The inverse of {@link parseSipUri}. */
export function formatSipUri(uri: SipUri): string {
  const user = uri.userInfo === null ? '' : `${uri.userInfo}@`;
  const headers = uri.headers === null ? '' : `?${uri.headers}`;
  return `${uri.scheme}:${user}${formatHostPort(uri.host, uri.port)}${formatParams(uri.params)}${headers}`;
}

/** Escapes text for the user part of a URI. The digits and `+` of a number stay unescaped. */
export function escapeUser(user: string): string {
  return encodeURIComponent(user).replaceAll('%2B', '+').replaceAll('%26', '&').replaceAll('%3D', '=');
}

/**
 * The user of a URI: the unescaped user part without password and parameters, or the number of a `tel:` URI, or an empty
 * string. Never throws.
 */
export function userOf(uriText: string): string {
  const user = /^tel:/i.test(uriText) ? uriText.slice(4) : (/^sips?:([^@]*)@/i.exec(uriText)?.[1] ?? '');
  const name = user.split(/[;:?]/, 1)[0] ?? '';
  return BROKEN_ESCAPE.test(name) ? name : unescapeUtf8(name);
}

function unescapeUtf8(text: string): string {
  const bytes = text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return bytes === text ? text : Buffer.from(bytes, 'latin1').toString('utf8');
}

function cut(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
