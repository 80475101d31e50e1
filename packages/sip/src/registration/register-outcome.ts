/**
 * What a registrar has answered, read from its final response (RFC 3261 sections 10.2.4, 10.2.8 and 10.3).
 */
import type { ChallengeRefusal } from '../dialog/authentication.ts';
import { defaultPort } from '../message/destination.ts';
import { headerList, headerValue, type SipResponse } from '../message/message.ts';
import { parseNameAddr, type NameAddr } from '../message/name-addr.ts';
import { SipParseError } from '../message/parse-error.ts';
import { parseSipUri, userOf } from '../message/uri.ts';

/** How a REGISTER ended. */
export type RegisterOutcome =
  | { by: 'grant'; status: number; expiresSeconds: number }
  | { by: 'redirect'; status: number; targets: string[] } // 3xx, with the URIs of its Contacts
  | { by: 'too-brief'; status: number; minExpiresSeconds: number | null } // 423
  | { by: 'challenge'; status: number; refusal: ChallengeRefusal } // a 401 or 407 that is not answered again
  | { by: 'response'; status: number; reason: string; retryAfterSeconds: number | null } // any other refusal
  | { by: 'foreign-answer' } // a response with our branch, but with another Call-ID, From tag or CSeq number
  | { by: 'no-response' }
  | { by: 'transport' }; // the message could not be sent

/** Upper bound of every time span that a registrar states, seconds. */
const MAX_STATED_SECONDS = 86_400;

/** Reads a final response other than a 401 or 407. */
export function readOutcome(
  response: SipResponse,
  asked: { contactUri: string; expiresSeconds: number },
): RegisterOutcome {
  const { status, reason } = response;
  if (status < 300) return { by: 'grant', status, expiresSeconds: grantedSeconds(response, asked) };
  if (status < 400) return { by: 'redirect', status, targets: contactsOf(response).map(({ uri }) => uri) };
  if (status === 423)
    return { by: 'too-brief', status, minExpiresSeconds: seconds(headerValue(response, 'Min-Expires')) };
  const retryAfterSeconds = seconds(headerValue(response, 'Retry-After'));
  return { by: 'response', status, reason, retryAfterSeconds };
}

/**
 * Section 10.2.4: the response lists all bindings of the address of record, also those of others; only ours counts. A single
 * Contact with another address is ours, rewritten by a session border controller. Without a time at the Contact the Expires
 * header field counts, and without that one what we have asked for.
 */
function grantedSeconds(
  response: SipResponse,
  { contactUri, expiresSeconds }: { contactUri: string; expiresSeconds: number },
): number {
  const contacts = contactsOf(response);
  const only = contacts.length === 1 ? contacts[0] : undefined;
  const ours = contacts.find(({ uri }) => isSameContact(uri, contactUri)) ?? only;
  const stated = seconds(ours?.params.get('expires') ?? null) ?? seconds(headerValue(response, 'Expires'));
  return stated ?? expiresSeconds;
}

/** Malformed entries are skipped: those of others must not hide ours. */
function contactsOf(response: SipResponse): NameAddr[] {
  return (readOrNull(() => headerList(response, 'Contact')) ?? []).flatMap(
    (text) => readOrNull(() => parseNameAddr(text)) ?? [],
  );
}

function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}

/** The comparison of section 19.1.4, for the parts that we write in a Contact. */
function isSameContact(text: string, ours: string): boolean {
  if (!/^sip:/i.test(text)) return false;
  const [a, b] = [parseSipUri(text), parseSipUri(ours)];
  const transportOf = ({ params }: typeof a): string => params.get('transport')?.toLowerCase() ?? 'udp';
  const portOf = (uri: typeof a): number =>
    uri.port ?? defaultPort(transportOf(uri) === 'tls' ? 'tls' : 'udp');
  const isSameHost = a.host === b.host && portOf(a) === portOf(b);
  return isSameHost && userOf(text) === userOf(ours) && transportOf(a) === transportOf(b);
}

/** delta-seconds, with what may follow them in Retry-After; null without a number. */
function seconds(text: string | null): number | null {
  const digits = /^\s*(\d{1,10})(?![\d.])/.exec(text ?? '')?.[1];
  return digits === undefined ? null : Math.min(Number(digits), MAX_STATED_SECONDS);
}
