/**
 * The client side of digest access authentication (RFC 7616, RFC 8760 for SIP): parses challenges, selects the first one
 * we support, and computes the answer. RFC 8760 section 2.4 asks for the topmost supported header field, too. Uses
 * `qop=auth` where it is offered, and `auth-int` where nothing else is.
 */
import { createHash } from 'node:crypto';
import { malformed } from './parse-error.ts';
import { indexOutsideQuotes, isToken, quote, unquote } from './scan.ts';

/** The account of a trunk. */
export interface Credentials {
  username: string;
  password: string;
}

/** One `Digest` challenge of a 401 or 407. */
export interface Challenge {
  realm: string;
  nonce: string;
  opaque: string | null;
  /** True: only the nonce has expired; the credentials may be valid. */
  isStale: boolean;
  algorithm: Algorithm;
  /** The algorithm as the server wrote it, null without one. */
  algorithmText: string | null;
  /** The quality of protection that the answer has; null without any in the challenge: the answer follows RFC 2069. */
  qop: 'auth' | 'auth-int' | null;
}

type HashName = 'md5' | 'sha256' | 'sha512-256';
interface Algorithm {
  hash: HashName;
  isSession: boolean;
}

/** The request to authorise, with a fresh client nonce. */
export interface DigestUse {
  method: string;
  /** The Request-URI exactly as it is sent. */
  uri: string;
  /** The body, which `auth-int` protects, too. */
  body: Uint8Array;
  clientNonce: string;
  /** How often this server nonce has been used, from 1. */
  nonceCount: number;
}

const HASHES: Readonly<Record<string, HashName>> = {
  md5: 'md5',
  'sha-256': 'sha256',
  'sha-512-256': 'sha512-256',
};

/**
 * All supported challenges in the values of WWW-Authenticate or Proxy-Authenticate, in the server's order of preference.
 * Other schemes and unknown algorithms are skipped.
 *
 * @throws SipParseError when a value breaks the grammar
 */
export function parseChallenges(values: readonly string[]): Challenge[] {
  return values.flatMap(splitChallenges).flatMap((text) => toChallenge(text) ?? []);
}

/**
 * Splits one value into challenges: a new one begins at each part of the form `Scheme name=value` (RFC 7616 section 3.3).
 * RFC 3261 section 25.1: `EQUAL = SWS "=" SWS`, so blanks before an equals sign separate no scheme.
 */
function splitChallenges(value: string): { scheme: string; parts: Map<string, string> }[] {
  const challenges: { scheme: string; parts: Map<string, string> }[] = [];
  for (const part of splitAtCommas(value)) {
    const [, scheme, rest] = /^([A-Za-z0-9-]+)[ \t]+([^ \t=].*)$/s.exec(part) ?? [null, null, part];
    if (scheme !== null) challenges.push({ scheme: scheme ?? '', parts: new Map() });
    const current = challenges.at(-1);
    if (!current) throw malformed('a challenge names no scheme');
    addPart(current.parts, rest ?? '');
  }
  return challenges;
}

function splitAtCommas(value: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = indexOutsideQuotes(value, ','); ; at = indexOutsideQuotes(value, ',', start)) {
    parts.push(value.slice(start, at === -1 ? undefined : at).trim());
    if (at === -1) return parts.filter((part) => part !== '');
    start = at + 1;
  }
}

function addPart(parts: Map<string, string>, text: string): void {
  const equals = text.indexOf('=');
  const name = text.slice(0, Math.max(0, equals)).trim().toLowerCase();
  if (!isToken(name)) throw malformed('a challenge has a part without a name');
  parts.set(name, unquote(text.slice(equals + 1).trim()));
}

function toChallenge({ scheme, parts }: { scheme: string; parts: Map<string, string> }): Challenge | null {
  const algorithm = parseAlgorithm(parts.get('algorithm') ?? 'MD5');
  const realm = parts.get('realm');
  const nonce = parts.get('nonce');
  const qops = (parts.get('qop') ?? '').split(',').map((qop) => qop.trim().toLowerCase());
  const qop = (['auth', 'auth-int'] as const).find((known) => qops.includes(known)) ?? null;
  if (scheme.toLowerCase() !== 'digest' || !algorithm || realm === undefined || nonce === undefined)
    return null;
  if (qop === null && (parts.get('qop') ?? '') !== '') return null;
  return {
    realm,
    nonce,
    opaque: parts.get('opaque') ?? null,
    isStale: parts.get('stale')?.toLowerCase() === 'true',
    algorithm,
    algorithmText: parts.get('algorithm') ?? null,
    qop,
  };
}

function parseAlgorithm(text: string): Algorithm | null {
  const name = text.toLowerCase();
  const isSession = name.endsWith('-sess');
  const hash = HASHES[isSession ? name.slice(0, -5) : name];
  return hash === undefined ? null : { hash, isSession };
}

/** The value of Authorization or Proxy-Authorization that answers a challenge (RFC 7616 section 3.4). */
export function answerChallenge(challenge: Challenge, credentials: Credentials, use: DigestUse): string {
  const nonceCount = use.nonceCount.toString(16).padStart(8, '0');
  const parts = [
    `username=${quote(credentials.username)}`,
    `realm=${quote(challenge.realm)}`,
    `nonce=${quote(challenge.nonce)}`,
    `uri=${quote(use.uri)}`,
    `response="${digestResponse(challenge, credentials, { ...use, nonceCountText: nonceCount })}"`,
  ];
  if (challenge.algorithmText !== null) parts.push(`algorithm=${challenge.algorithmText}`);
  if (challenge.qop !== null) parts.push(`qop=${challenge.qop}`, `nc=${nonceCount}`);
  if (challenge.qop !== null || challenge.algorithm.isSession) parts.push(`cnonce=${quote(use.clientNonce)}`);
  if (challenge.opaque !== null) parts.push(`opaque=${quote(challenge.opaque)}`);
  return `Digest ${parts.join(', ')}`;
}

function digestResponse(
  challenge: Challenge,
  credentials: Credentials,
  use: DigestUse & { nonceCountText: string },
): string {
  const { hash, isSession } = challenge.algorithm;
  const { nonce, qop } = challenge;
  const account = digest(hash, `${credentials.username}:${challenge.realm}:${credentials.password}`);
  const a1 = isSession ? digest(hash, `${account}:${nonce}:${use.clientNonce}`) : account;
  // RFC 7616 section 3.4.3: A2 of auth-int ends with the hash of the body.
  const protectedBody = qop === 'auth-int' ? `:${digest(hash, use.body)}` : '';
  const a2 = digest(hash, `${use.method}:${use.uri}${protectedBody}`);
  if (qop === null) return digest(hash, `${a1}:${nonce}:${a2}`);
  return digest(hash, `${a1}:${nonce}:${use.nonceCountText}:${use.clientNonce}:${qop}:${a2}`);
}

function digest(hash: HashName, data: string | Uint8Array): string {
  return createHash(hash).update(data).digest('hex');
}
