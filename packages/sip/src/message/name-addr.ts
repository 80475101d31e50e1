/**
 * The value of From, To, Contact, Route and Record-Route (RFC 3261 section 20.10):
 *
 *     "Display name" <sip:user@host;uri-parameter>;header-parameter
 *     sip:user@host;header-parameter
 */
import { malformed } from './parse-error.ts';
import {
  formatParams,
  indexOutsideQuotes,
  parseParams,
  quote,
  splitList,
  unquote,
  type Params,
} from './scan.ts';
import { parseSipUri, uriScheme } from './uri.ts';

/** A name, a URI and parameters. */
export interface NameAddr {
  /** Without quotes; empty where there is none. */
  displayName: string;
  /** As written, without angle brackets. */
  uri: string;
  /** Header parameters, above all `tag`. */
  params: Params;
}

/**
 * RFC 3261 section 25.1 allows only tokens without quotes, but carriers send names as `WIRELESS (CALLER)` and `Zoë`. A call is not
 * lost for its caller's name: what is refused are the characters that separate and that end a line.
 */
const NEEDS_QUOTES = /[",;:<>\\\p{Cc}]/u;

/** Parses a name-addr or addr-spec. @throws SipParseError */
export function parseNameAddr(text: string): NameAddr {
  const open = indexOutsideQuotes(text, '<');
  return open === -1 ? parseAddrSpec(text.trim()) : parseBracketed(text, open);
}

/**
 * Parses a list of them (RFC 3261 section 7.3.1): commas in quoted names and in angle brackets are no separators.
 *
 * @throws SipParseError when any entry is malformed
 */
export function parseNameAddrList(text: string): NameAddr[] {
  return splitList(text).map(parseNameAddr);
}

function parseBracketed(text: string, open: number): NameAddr {
  const close = text.indexOf('>', open);
  if (close === -1) throw malformed('an angle bracket does not close');
  const uri = checkUri(text.slice(open + 1, close));
  return {
    displayName: parseDisplayName(text.slice(0, open).trim()),
    uri,
    params: parseParams(text.slice(close + 1)),
  };
}

/**
 * RFC 3261 section 20: "If the URI is not enclosed in angle brackets, any semicolon-delimited parameters are
 * header-parameters, not URI parameters."
 */
function parseAddrSpec(text: string): NameAddr {
  const semicolon = text.indexOf(';');
  const uri = checkUri((semicolon === -1 ? text : text.slice(0, semicolon)).trim());
  if (/[,?]/.test(uri)) throw malformed('a URI with a comma or question mark needs angle brackets');
  return { displayName: '', uri, params: parseParams(semicolon === -1 ? '' : text.slice(semicolon)) };
}

function parseDisplayName(text: string): string {
  if (!text.startsWith('"')) {
    if (NEEDS_QUOTES.test(text)) throw malformed('a display name needs quotes');
    return text;
  }
  if (indexOutsideQuotes(`${text}<`, '<') !== text.length || !text.endsWith('"') || text.length < 2) {
    throw malformed('a display name is malformed');
  }
  return unquote(text);
}

function checkUri(uri: string): string {
  const scheme = uriScheme(uri);
  if (scheme === 'sip' || scheme === 'sips') parseSipUri(uri);
  return uri;
}

/** Writes the form with angle brackets, which is valid for every URI. */
export function formatNameAddr(address: NameAddr): string {
  const name = address.displayName === '' ? '' : `${quote(address.displayName)} `;
  return `${name}<${address.uri}>${formatParams(address.params)}`;
}

/** A name-addr from its parts, with a `tag` where one is given. */
export function nameAddr(uri: string, options: { displayName?: string; tag?: string } = {}): NameAddr {
  const params = options.tag === undefined ? [] : [['tag', options.tag] as const];
  return { displayName: options.displayName ?? '', uri, params: new Map(params) };
}

/** The `tag` parameter, null where there is none or it is empty. */
export function tagOf(address: NameAddr): string | null {
  return address.params.get('tag') ?? null;
}
