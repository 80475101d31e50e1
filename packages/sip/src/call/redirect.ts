/**
 * Which Contacts of a 3xx an outbound call may follow (RFC 3261 sections 8.1.3.4 and 21.3). A redirect may name another
 * host for the same number, never another number: the permission to dial was given for the number that was dialed.
 */
import { defaultPort, type TransportName } from '../message/destination.ts';
import { headerList, type SipResponse } from '../message/message.ts';
import { parseNameAddr } from '../message/name-addr.ts';
import { SipParseError } from '../message/parse-error.ts';
import { formatHostPort, parseSipUri, userOf } from '../message/uri.ts';

/** A host to which the INVITE may be sent instead. */
export interface RedirectTarget {
  /** Name or address. */
  host: string;
  port: number | null;
  /** Null: that of the first INVITE. */
  transport: TransportName | null;
}

/** Why a redirect is not followed. The application gives `unusable-host`. */
export type RedirectRefusal =
  | 'no-usable-contact' // none over a transport that we support, or that protects the call as its trunk does
  | 'another-number'
  | 'loop' // every Contact has been tried before
  | 'too-many'
  | 'unusable-host'; // without an address, or with one that is not allowed

/** The targets in the order in which they are to be tried, or why there is none. */
export type RedirectDecision = { targets: RedirectTarget[] } | { refusal: RedirectRefusal };

/** How often one call follows a redirect. */
const MAX_REDIRECTS = 5;
/** How many Contacts of a response are read. */
const MAX_CONTACTS = 10;
/** 305 and 380 ask for more than another address (sections 21.3.4 and 21.3.5). */
const FOLLOWED: readonly number[] = [300, 301, 302];

const TRANSPORTS: readonly TransportName[] = ['udp', 'tcp', 'tls'];

interface Contact extends RedirectTarget {
  user: string;
  q: number;
}

/** Whether a final response is a redirect that may be followed. */
export function isRedirect({ status }: SipResponse): boolean {
  return FOLLOWED.includes(status);
}

/** What a decision depends on besides the response. */
export interface RedirectContext {
  /** The Request-URI of the first INVITE. */
  dialedUri: string;
  /** The transport of the first INVITE. */
  transport: TransportName;
  /** The {@link targetKey}s of the INVITEs so far. */
  tried: ReadonlySet<string>;
}

/** The targets of a redirect that may be followed. */
export function decideRedirect(
  response: SipResponse,
  { dialedUri, transport, tried }: RedirectContext,
): RedirectDecision {
  const contacts = contactsOf(response, transport);
  if (contacts.length === 0) return { refusal: 'no-usable-contact' };
  const dialed = numberOf(userOf(dialedUri));
  const same = contacts.filter(({ user }) => user !== '' && numberOf(user) === dialed);
  if (same.length === 0) return { refusal: 'another-number' };
  const fresh = same.filter((contact) => !tried.has(targetKey(contact, transport)));
  if (fresh.length === 0) return { refusal: 'loop' };
  if (tried.size > MAX_REDIRECTS) return { refusal: 'too-many' };
  const ordered = fresh.toSorted((a, b) => b.q - a.q);
  return { targets: ordered.map(({ host, port, transport }) => ({ host, port, transport })) };
}

/** Identifies a target, to detect loops. `usual` is the transport of a target that names none. */
export function targetKey({ host, port, transport }: RedirectTarget, usual: TransportName): string {
  const over = transport ?? usual;
  return `${formatHostPort(host, port ?? defaultPort(over))} ${over}`;
}

/** A number with and without the plus is the same one: the INVITE is sent with the user part that was dialed. */
function numberOf(user: string): string {
  return user.replace(/^\+/, '');
}

function contactsOf(response: SipResponse, usual: TransportName): Contact[] {
  try {
    const values = headerList(response, 'Contact').slice(0, MAX_CONTACTS);
    return values.flatMap((value) => readContact(value, usual) ?? []);
  } catch (error) {
    if (error instanceof SipParseError) return [];
    throw error;
  }
}

/** Null for another scheme or transport, and for malformed text. A Contact without `q` has the value 1. */
function readContact(value: string, usual: TransportName): Contact | null {
  try {
    const { uri, params } = parseNameAddr(value);
    const { scheme, host, port, params: uriParams } = parseSipUri(uri);
    const named = uriParams.get('transport')?.toLowerCase() ?? null;
    const transport = scheme === 'sips' ? 'tls' : (TRANSPORTS.find((one) => one === named) ?? null);
    if (named !== null && transport === null) return null;
    // A redirect changes neither the protection of a call nor the certificates that its trunk accepts.
    if (transport !== null && (transport === 'tls') !== (usual === 'tls')) return null;
    const q = Number(params.get('q') ?? 1);
    return { host, port, transport, user: userOf(uri), q: Number.isFinite(q) ? q : 0 };
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}
