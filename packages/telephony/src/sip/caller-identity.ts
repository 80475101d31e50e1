/**
 * Who an INVITE says is calling, and how far the networks vouch for it: the display name, the result of a verification
 * (`verstat`, 3GPP TS 24.229 section 7.2A.20), and the PASSporTs of the originating network (STIR/SHAKEN: RFC 8224, RFC 8225,
 * RFC 8588). Everything here is a claim of the sender; only a signature that a trusted certificate verifies proves something.
 */
import { verify, type X509Certificate } from 'node:crypto';
import { parseNameAddrList, SipParseError, userOf, type HeaderField } from '@parley/sip';

/** What is known about the identity of a caller. */
interface CallerIdentity {
  /** For example `TN-Validation-Passed`: the carrier has verified the number itself; null where it says nothing. */
  verstat: string | null;
  /** RFC 8588 section 4: `A` the number belongs to the caller, `B` the caller is known, `C` neither; null without one. */
  attestation: 'A' | 'B' | 'C' | null;
  /** The signature of the PASSporT. `not_verified`: there is one, and no trusted certificate that could verify it. */
  signature: 'none' | 'not_verified' | 'valid' | 'invalid';
  /** RFC 8588 section 5: an opaque reference for complaints to the originating network. */
  originId: string | null;
}

/** The caller as an INVITE shows it. */
export interface ShownCaller {
  /** Empty without one, and where the caller asks for privacy. */
  callerName: string;
  /** Null where the INVITE says nothing. */
  identity: CallerIdentity | null;
}

/** What verifies PASSporTs. */
export interface IdentityTrust {
  /** Certificates of networks, whose keys may sign. Empty: nothing is verified. */
  certificates: readonly X509Certificate[];
  /** Seconds since 1970. */
  nowSeconds: number;
  /** Asked before each signature: strangers must not choose how much is verified. */
  mayVerify: () => boolean;
}

const MAX_NAME = 64;
const MAX_IDENTITIES = 4;
const MAX_TOKEN = 8192;
const MAX_ORIGIN = 64;
/** RFC 8224 section 6.2.2 recommends to accept a PASSporT for at most 60 s. */
const FRESH_SECONDS = 60;
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const VERSTATS: readonly string[] = [
  'TN-Validation-Passed',
  'TN-Validation-Failed',
  'No-TN-Validation',
  'TN-Validation-Passed-A',
  'TN-Validation-Passed-B',
  'TN-Validation-Passed-C',
];
/** The three parts of a JSON Web Signature, whose first may be all that is missing: RFC 8225 section 7. */
const TOKEN = /^([\w-]*)\.([\w-]*)\.([\w-]+)$/;

/** Never throws. @param numbers - the caller's and the called number, which a PASSporT has to name */
export function readCaller(
  headers: readonly HeaderField[],
  about: { fromName: string; fromUri: string; isPrivate: boolean; numbers: { from: string; to: string } },
  trust: IdentityTrust,
): ShownCaller {
  const asserted = namesOf(headers);
  const names = [...asserted.map(({ name }) => name), about.fromName].map(cleanName);
  const callerName = about.isPrivate ? '' : (names.find((name) => name !== '') ?? '');
  const verstat = verstatOf([...asserted.map(({ text }) => text), about.fromUri]);
  const passport = bestPassport(headers, about.numbers, trust);
  const attestation = passport?.attestation ?? attestationOf(headers, verstat);
  const originId = passport?.originId ?? originOf(valuesOf(headers, 'p-origination-id')[0]);
  const signature = passport?.signature ?? 'none';
  const isSilent = verstat === null && attestation === null && originId === null && signature === 'none';
  return { callerName, identity: isSilent ? null : { verstat, attestation, signature, originId } };
}

/** On one line, without control and formatting characters. */
function cleanName(name: string): string {
  const plain = name.replaceAll(UNSAFE, ' ').replaceAll(/\s+/gu, ' ').trim();
  // Half of a character at the end is none.
  const short = plain.slice(0, MAX_NAME).replaceAll(UNSAFE, '').trim();
  return /^\+?[\d\-.() ]*$|^anonymous$/i.test(short) ? '' : short;
}

/** P-Asserted-Identity, whose name a network has set; none if any entry is malformed. */
function namesOf(headers: readonly HeaderField[]): { name: string; text: string }[] {
  try {
    return valuesOf(headers, 'p-asserted-identity').flatMap((value) =>
      parseNameAddrList(value).map(({ displayName, uri, params }) => {
        const verstat = params.get('verstat');
        return { name: displayName, text: verstat ? `${uri};verstat=${verstat}` : uri };
      }),
    );
  } catch (error) {
    if (error instanceof SipParseError) return [];
    throw error;
  }
}

/** A parameter of the number, or, from some networks, of the URI or the field. */
function verstatOf(texts: readonly string[]): string | null {
  for (const text of texts) {
    const value = /;verstat=([\w-]{1,32})/i.exec(text)?.[1]?.toLowerCase();
    const known = VERSTATS.find((verstat) => verstat.toLowerCase() === value);
    if (known !== undefined) return known;
  }
  return null;
}

/** P-Attestation-Indicator, which networks add for receivers that cannot read PASSporTs. */
function attestationOf(
  headers: readonly HeaderField[],
  verstat: string | null,
): CallerIdentity['attestation'] {
  const indicated = valuesOf(headers, 'p-attestation-indicator')[0]?.trim().toUpperCase();
  return letterOf(indicated) ?? letterOf(/-Passed-([ABC])$/.exec(verstat ?? '')?.[1]);
}

function letterOf(value: unknown): CallerIdentity['attestation'] {
  return value === 'A' || value === 'B' || value === 'C' ? value : null;
}

function originOf(value: unknown): string | null {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value.trim())
    ? value.trim().slice(0, MAX_ORIGIN)
    : null;
}

type Passport = Pick<CallerIdentity, 'attestation' | 'signature' | 'originId'>;

const ORDER = ['valid', 'not_verified', 'invalid', 'none'];

/** Several networks may have signed: the best result counts. */
function bestPassport(
  headers: readonly HeaderField[],
  numbers: { from: string; to: string },
  trust: IdentityTrust,
): Passport | null {
  const found = valuesOf(headers, 'identity')
    .slice(0, MAX_IDENTITIES)
    .flatMap((value) => readPassport(value, numbers, trust) ?? []);
  return found.toSorted((a, b) => ORDER.indexOf(a.signature) - ORDER.indexOf(b.signature))[0] ?? null;
}

/** @returns null for a field that is too long, or no PASSporT of SHAKEN in full form */
function readPassport(
  value: string,
  numbers: { from: string; to: string },
  trust: IdentityTrust,
): Passport | null {
  if (value.length > MAX_TOKEN) return null;
  const token = (value.split(';', 1)[0] ?? '').trim();
  const [, protectedPart = '', payloadPart = '', signature = ''] = TOKEN.exec(token) ?? [];
  const header = objectOf(protectedPart);
  const claims = objectOf(payloadPart);
  if (!header || !claims || header['ppt'] !== 'shaken') return null;
  const signed = `${protectedPart}.${payloadPart}`;
  const isDue =
    header['alg'] === 'ES256' && namesNumbers(claims, numbers) && isFresh(claims['iat'], trust.nowSeconds);
  return {
    attestation: letterOf(claims['attest']),
    originId: originOf(claims['origid']),
    signature: isDue || trust.certificates.length === 0 ? verdictOf(signed, signature, trust) : 'invalid',
  };
}

/** The signature comes last: it takes about 0.1 ms of processor time for each certificate. */
function verdictOf(text: string, signature: string, trust: IdentityTrust): CallerIdentity['signature'] {
  if (trust.certificates.length === 0 || !trust.mayVerify()) return 'not_verified';
  return isSignedBy(text, signature, trust) ? 'valid' : 'invalid';
}

function objectOf(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** RFC 8225 section 5.2: `orig` has one number, `dest` a list of them, as digits without a plus. */
function namesNumbers(claims: Record<string, unknown>, { from, to }: { from: string; to: string }): boolean {
  const orig = fieldOf(claims['orig'], 'tn');
  const dest = fieldOf(claims['dest'], 'tn');
  const isDest = Array.isArray(dest) && dest.some((number) => isSame(number, to));
  return isSame(orig, from) && isDest;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : null;
}

function isSame(claimed: unknown, number: string): boolean {
  const digits = digitsOf(number);
  return typeof claimed === 'string' && digits !== '' && digitsOf(claimed) === digits;
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, '');
}

function isFresh(iat: unknown, nowSeconds: number): boolean {
  return typeof iat === 'number' && Math.abs(nowSeconds - iat) <= FRESH_SECONDS;
}

/**
 * ECDSA with P-256 and SHA-256, the signature as two numbers of 32 bytes (RFC 7518 section 3.4), by a certificate that is valid
 * now (RFC 5280 section 4.1.2.5).
 */
function isSignedBy(text: string, signature: string, { certificates, nowSeconds }: IdentityTrust): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  return certificates.some((certificate) => {
    const [from, to] = [certificate.validFromDate, certificate.validToDate];
    if (from.getTime() > nowSeconds * 1000 || to.getTime() < nowSeconds * 1000) return false;
    const { publicKey: key } = certificate;
    // RFC 7518 section 3.4 names the curve; a key of another kind would be used by its own algorithm.
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return false;
    try {
      return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes);
    } catch {
      return false;
    }
  });
}

/** The number of a caller in From or P-Asserted-Identity, as a PASSporT is compared with it. */
export function numberForIdentity(headers: readonly HeaderField[], fromUri: string): string {
  const [asserted] = namesOf(headers);
  return userOf(asserted?.text ?? fromUri);
}

function valuesOf(headers: readonly HeaderField[], wanted: string): string[] {
  return headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
}
