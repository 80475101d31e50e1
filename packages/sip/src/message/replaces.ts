/**
 * The Replaces header field (RFC 3891 section 6.1), with which an INVITE takes over an existing dialog:
 *
 *     Replaces: 98732@sip.example.com;from-tag=r33th4x0r;to-tag=ff87ff;early-only
 */
import { headerValues, type SipMessage } from './message.ts';
import { SipParseError } from './parse-error.ts';
import { isToken, parseParams } from './scan.ts';

/** The dialog that is to be replaced, from our side of it. */
export interface Replaces {
  callId: string;
  /** `to-tag`: section 3 compares it to the local tag. */
  localTag: string;
  /** `from-tag`. */
  remoteTag: string;
  /** Only a dialog that is not confirmed may be replaced. */
  isEarlyOnly: boolean;
}

/** Call-ID is `word [ "@" word ]` (RFC 3261 section 25.1). */
const CALL_ID = /^[A-Za-z0-9\-.!%*_+`'~()<>:\\"/[\]?{}@]{1,255}$/;

/**
 * Null without the field.
 *
 * @throws SipParseError 400: section 3 demands it for more than one field and for one in another request than INVITE
 */
export function replacesOf(message: SipMessage): Replaces | null {
  const [value, ...others] = headerValues(message, 'Replaces');
  if (value === undefined) return null;
  if (others.length > 0) throw new SipParseError(400, 'there are several Replaces');
  return parseReplaces(value);
}

/** Parses the value of the field. @throws SipParseError 400 */
export function parseReplaces(value: string): Replaces {
  const semicolon = value.indexOf(';');
  const callId = value.slice(0, Math.max(0, semicolon)).trim();
  const params = parseParams(semicolon === -1 ? '' : value.slice(semicolon));
  const localTag = params.get('to-tag') ?? '';
  const remoteTag = params.get('from-tag') ?? '';
  if (callId === '' || localTag === '' || remoteTag === '')
    throw new SipParseError(400, 'Replaces is malformed');
  return { callId, localTag, remoteTag, isEarlyOnly: params.has('early-only') };
}

/**
 * The value of the field for an INVITE of ours, with nothing in it that could end the header.
 *
 * @throws SipParseError 400
 */
export function formatReplaces({ callId, localTag, remoteTag, isEarlyOnly }: Replaces): string {
  if (!CALL_ID.test(callId) || !isToken(localTag) || !isToken(remoteTag))
    throw new SipParseError(400, 'Replaces is malformed');
  return `${callId};to-tag=${localTag};from-tag=${remoteTag}${isEarlyOnly ? ';early-only' : ''}`;
}
