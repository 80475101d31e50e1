/**
 * The numbers in the header fields of an INVITE, as user parts. Which of them count is a setting of the trunk, which is known
 * only later, so all of them are read. A field that is malformed is treated as absent.
 */
import { parseNameAddrList, SipParseError, userOf, type HeaderField, type NameAddr } from '@parley/sip';

/** Each number is a user part, empty without one. None contains control characters, quotes or angle brackets. */
export interface HeaderNumbers {
  /** To. Usually the same as the Request-URI. */
  toHeader: string;
  /**
   * P-Called-Party-ID. A proxy inserts it (RFC 7315 section 4.2): it contains the Request-URI that the proxy received, and
   * then replaced by the address of the device.
   */
  calledPartyId: string;
  /** P-Asserted-Identity (RFC 3325 section 9.1). Only as reliable as the source of the INVITE. */
  assertedIdentity: string;
  /** Remote-Party-ID of the calling party (draft-ietf-sip-privacy-04), the predecessor of P-Asserted-Identity. */
  remotePartyId: string;
  /** The caller asked for privacy, by Privacy or by an anonymous From. */
  isPrivate: boolean;
  /** Diversion (RFC 5806): who has diverted the call, the latest first. */
  divertedBy: readonly string[];
  /** Who diverted the call first, by Diversion or else by History-Info; empty also where that party asked for privacy. */
  firstDiverting: string;
}

/** More diversions than a call can have in practice; the others are ignored. */
const MAX_DIVERSIONS = 8;
/** RFC 3323 section 4.2, and `id` of RFC 3325 section 9.3. */
const HIDES_CALLER: readonly string[] = ['id', 'user', 'header'];
/** Values of `privacy` in RFC 5806: these hide the number, `name` only the name. */
const HIDES_DIVERTING: readonly string[] = ['full', 'uri'];
/** RFC 3323 section 4.1.1.3: the recommended From of an anonymous caller. */
const ANONYMOUS = /^sips?:anonymous@|@anonymous\.invalid(?:[:;?]|$)/i;
const UNSAFE = /[\p{Cc}\p{Cf}"<>\\]/u;
const NUMBER = /^\+?[\d\-.() ]{3,}$/;

/** Reads the numbers of an INVITE. Never throws. */
export function readHeaderNumbers(
  headers: readonly HeaderField[],
  { fromUri, toUri }: { fromUri: string; toUri: string },
): HeaderNumbers {
  const diversions = addresses(headers, 'diversion');
  return {
    toHeader: numberIn(toUri),
    calledPartyId: numberIn(addresses(headers, 'p-called-party-id')[0]?.uri ?? ''),
    assertedIdentity: bestNumber(addresses(headers, 'p-asserted-identity')),
    remotePartyId: bestNumber(addresses(headers, 'remote-party-id').filter(isCalling)),
    isPrivate: ANONYMOUS.test(fromUri) || privacyOf(headers).some((value) => HIDES_CALLER.includes(value)),
    divertedBy: diversions
      .map(({ uri }) => numberIn(uri))
      .filter((number) => number !== '')
      .slice(0, MAX_DIVERSIONS),
    firstDiverting: diversions.length > 0 ? firstOf(diversions) : firstInHistory(headers),
  };
}

/** The user of a URI; empty where it is anonymous, or contains characters that no number and no name of an account has. */
export function numberIn(uri: string): string {
  const user = userOf(uri);
  return ANONYMOUS.test(uri) || UNSAFE.test(user) ? '' : user;
}

/** RFC 3325 section 9.1: there may be two, a SIP URI and a `tel` URI. One of them may be a name. */
function bestNumber(values: readonly NameAddr[]): string {
  const users = values.map(({ uri }) => numberIn(uri)).filter((user) => user !== '');
  return users.find((user) => NUMBER.test(user)) ?? users[0] ?? '';
}

/** Without `party` it is the calling one in a request. */
function isCalling({ params }: NameAddr): boolean {
  return (params.get('party') ?? 'calling').toLowerCase() === 'calling';
}

/** RFC 5806: each diversion is added at the top, so the first one is at the bottom. */
function firstOf(diversions: readonly NameAddr[]): string {
  const first = diversions.at(-1);
  const privacy = first?.params.get('privacy')?.replaceAll('"', '').toLowerCase() ?? 'off';
  return first && !HIDES_DIVERTING.includes(privacy) ? numberIn(first.uri) : '';
}

/**
 * RFC 7044 section 5: the first entry is the original target. The call was diverted if a later entry is of another number;
 * entries without a number are steps within a network.
 */
function firstInHistory(headers: readonly HeaderField[]): string {
  const [first, ...later] = addresses(headers, 'history-info').filter(({ uri }) =>
    NUMBER.test(numberIn(uri)),
  );
  if (!first || /[?&]privacy=/i.test(first.uri)) return '';
  const number = numberIn(first.uri);
  return later.some(({ uri }) => !isSameNumber(numberIn(uri), number)) ? number : '';
}

/** True also for the national and the international form of one number. */
function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [significantDigits(one), significantDigits(other)];
  return a.endsWith(b) || b.endsWith(a);
}

function significantDigits(number: string): string {
  return number.replaceAll(/\D/g, '').replace(/^0+/, '');
}

/** RFC 3323 section 4.2: values are separated by semicolons; some senders write commas. */
function privacyOf(headers: readonly HeaderField[]): string[] {
  return valuesOf(headers, 'privacy').flatMap((value) =>
    value.split(/[;,]/).map((part) => part.trim().toLowerCase()),
  );
}

/** The entries of all lines of a field, in order; none if any of them is malformed. */
function addresses(headers: readonly HeaderField[], name: string): NameAddr[] {
  try {
    return valuesOf(headers, name).flatMap(parseNameAddrList);
  } catch (error) {
    if (error instanceof SipParseError) return [];
    throw error;
  }
}

function valuesOf(headers: readonly HeaderField[], wanted: string): string[] {
  return headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
}
