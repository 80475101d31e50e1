/**
 * The lexical elements of the grammar (RFC 3261 section 25.1): tokens, quoted strings, lists and parameters. Every scan
 * takes a single pass over the text; no regular expression here backtracks.
 */
import { MAX_LIST_ENTRIES } from './limits.ts';
import { malformed } from './parse-error.ts';

/** Parameters by lower-case name; the value as written, with its quotes, or null without a value. */
export type Params = ReadonlyMap<string, string | null>;

const TOKEN = /^[A-Za-z0-9\-.!%*_+`'~]+$/;
const NOT_IN_PARAMETER_VALUE = /[\s,;<>"]/;

/** Letters, digits and `-.!%*_+`'~`, at least one. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Where a quoted string that opens at `start` closes. @throws SipParseError when it never does */
function endOfQuotedString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return index;
  }
  throw malformed('a quoted string does not end');
}

/** Index of the first character of `wanted` outside quoted strings, at or after `from`; -1 if there is none. */
export function indexOutsideQuotes(text: string, wanted: string, from = 0): number {
  for (let index = from; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (wanted.includes(character)) return index;
    if (character === '"') index = endOfQuotedString(text, index);
  }
  return -1;
}

/**
 * Splits a list at commas outside quotes and angle brackets; entries are trimmed.
 *
 * @throws SipParseError on an empty entry, unbalanced quotes or brackets, or more than {@link MAX_LIST_ENTRIES}
 */
export function splitList(text: string): string[] {
  const entries: string[] = [];
  let start = 0;
  for (let at = nextMark(text, 0); ; at = nextMark(text, at + 1)) {
    if (at !== -1 && text[at] === '<') {
      at = text.indexOf('>', at);
      if (at === -1) throw malformed('an angle bracket does not close');
      continue;
    }
    entries.push(text.slice(start, at === -1 ? undefined : at).trim());
    if (at === -1) break;
    start = at + 1;
  }
  if (entries.length > MAX_LIST_ENTRIES) throw malformed('a list is too long');
  if (entries.includes('')) throw malformed('a list has an empty entry');
  return entries;
}

function nextMark(text: string, from: number): number {
  return indexOutsideQuotes(text, ',<', from);
}

/**
 * Parses `;name=value;flag`. Empty text gives no parameters.
 *
 * @throws SipParseError on empty, unnamed or repeated parameters and on characters that are not allowed in a value
 */
export function parseParams(text: string): Params {
  const params = new Map<string, string | null>();
  const trimmed = text.trim();
  let at = 0;
  while (at < trimmed.length) {
    if (trimmed[at] !== ';') throw malformed('parameters must begin with a semicolon');
    const next = indexOutsideQuotes(trimmed, ';', at + 1);
    const end = next === -1 ? trimmed.length : next;
    const [name, value] = parseParam(trimmed.slice(at + 1, end));
    if (params.has(name)) throw malformed('a parameter occurs twice');
    params.set(name, value);
    at = end;
  }
  return params;
}

function parseParam(text: string): [string, string | null] {
  const equals = text.indexOf('=');
  const name = (equals === -1 ? text : text.slice(0, equals)).trim().toLowerCase();
  if (!isToken(name)) throw malformed('a parameter has no valid name');
  if (equals === -1) return [name, null];
  const value = text.slice(equals + 1).trim();
  if (!isParameterValue(value)) throw malformed('a parameter has no valid value');
  return [name, value];
}

function isParameterValue(value: string): boolean {
  if (value.startsWith('"')) return endOfQuotedString(value, 0) === value.length - 1;
  return value !== '' && !NOT_IN_PARAMETER_VALUE.test(value);
}

/** The inverse of {@link parseParams}. */
export function formatParams(params: Params): string {
  let text = '';
  for (const [name, value] of params) text += value === null ? `;${name}` : `;${name}=${value}`;
  return text;
}

/** Removes the quotes and escapes of a quoted string; other text is returned unchanged. */
export function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  return text.slice(1, -1).replaceAll(/\\([\s\S])/g, '$1');
}

/** Writes a quoted string. Control characters become spaces, so that a value cannot add header fields. */
export function quote(text: string): string {
  return `"${text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}
