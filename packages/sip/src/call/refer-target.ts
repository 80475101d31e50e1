/** Whom a REFER names (RFC 3515 section 2.1), and how its sender wants it to be carried out. */
import type { Dialog } from '../dialog/dialog.ts';
import { headerValue, headerValues, type HeaderField, type SipMessage } from '../message/message.ts';
import { parseNameAddr } from '../message/name-addr.ts';
import { SipParseError } from '../message/parse-error.ts';
import { REPLACES } from '../message/extensions.ts';
import { formatReplaces, parseReplaces } from '../message/replaces.ts';
import { parseSipUri, uriScheme, userOf } from '../message/uri.ts';

/** The party whom the far end wants us to call in its place. */
export interface ReferTarget {
  /** The unescaped user part of Refer-To, or the number of a `tel:` URI. Written by the far end. */
  user: string;
  /** The host of Refer-To in lower case; null for a `tel:` URI. */
  host: string | null;
  /** How the far end calls its own host, in lower case; null where its URI has none. */
  ownHost: string | null;
  /** Another call is to be taken over (RFC 3891): the transferor has talked with the target. */
  hasReplaces: boolean;
  /** What the INVITE to the target must contain. */
  headers: readonly HeaderField[];
}

const LONGEST_REFERRED_BY = 512;

/**
 * Of the headers that a Refer-To may ask for, only Replaces is taken over (RFC 3261 section 19.1.5 warns of the others).
 *
 * @param dialog - over TLS, if the target is a `sips:` URI
 * @throws SipParseError 400: RFC 3515 section 2.4.2 demands it for no Refer-To and for more than one; 416 for a URI that is
 *   neither `sip:`, `tel:` nor a reachable `sips:`; 403 for another method than INVITE
 */
export function referTargetOf(
  message: SipMessage,
  { destination, remoteUri }: Pick<Dialog, 'destination' | 'remoteUri'>,
): ReferTarget {
  const [value, ...others] = headerValues(message, 'Refer-To');
  if (value === undefined || others.length > 0) throw new SipParseError(400, 'there is not one Refer-To');
  const { uri } = parseNameAddr(value);
  const about = { user: userOf(uri), ownHost: hostOf(remoteUri) };
  const referredBy = referredByOf(message);
  if (uriScheme(uri) === 'tel') return { ...about, host: null, hasReplaces: false, headers: referredBy };
  const { scheme, host, params, headers } = parseSipUri(uri);
  if (scheme === 'sips' && destination.transport !== 'tls')
    throw new SipParseError(416, 'the dialog is not over TLS');
  if ((params.get('method') ?? 'INVITE').toUpperCase() !== 'INVITE')
    throw new SipParseError(403, 'REFER asks for another method than INVITE');
  const replaces = replacesIn(headers ?? '');
  return { ...about, host, hasReplaces: replaces.length > 0, headers: [...replaces, ...referredBy] };
}

function hostOf(uri: string): string | null {
  return uriScheme(uri) === 'tel' ? null : parseSipUri(uri).host;
}

/** Require: without it, a far end that does not know Replaces would ring a phone (RFC 3891 section 4). */
function replacesIn(headers: string): HeaderField[] {
  const [value, ...others] = headers
    .split('&')
    .flatMap((header) => /^replaces=(.*)$/i.exec(header)?.[1] ?? []);
  if (value === undefined) return [];
  if (others.length > 0) throw new SipParseError(400, 'there are several Replaces');
  return [
    { name: 'Replaces', value: formatReplaces(parseReplaces(unescaped(value))) },
    { name: 'Require', value: REPLACES },
  ];
}

function unescaped(text: string): string {
  return text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** RFC 3892 section 2.2: the referee copies it. One that is malformed is left out. */
function referredByOf(message: SipMessage): HeaderField[] {
  const value = headerValue(message, 'Referred-By');
  if (value === null || value.length > LONGEST_REFERRED_BY) return [];
  try {
    return [{ name: 'Referred-By', value: `<${parseNameAddr(value).uri}>` }];
  } catch (error) {
    if (error instanceof SipParseError) return [];
    throw error;
  }
}
