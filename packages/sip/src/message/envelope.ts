/**
 * The mandatory header fields of every message, parsed once on arrival (RFC 3261 section 8.1.1).
 */
import { MAX_SEQUENCE } from './limits.ts';
import { headerList, headerValue, type SipMessage } from './message.ts';
import { parseNameAddr, tagOf, type NameAddr } from './name-addr.ts';
import { malformed } from './parse-error.ts';
import { requireRack } from './reliability.ts';
import { isToken } from './scan.ts';
import { parseVia, type Via } from './via.ts';

/** The values of the mandatory header fields. */
export interface Envelope {
  /** The top entry: that of the previous hop in a request, our own in a response. */
  topVia: Via;
  viaCount: number;
  from: NameAddr;
  to: NameAddr;
  fromTag: string | null;
  toTag: string | null;
  callId: string;
  sequence: { number: number; method: string };
}

const SEQUENCE = /^(\d{1,10})\s+(\S+)$/;
const CALL_ID = /^[^\s@]+(?:@[^\s@]+)?$/;

/** Parses the mandatory fields of a message. @throws SipParseError */
export function readEnvelope(message: SipMessage): Envelope {
  const vias = headerList(message, 'Via').map(parseVia);
  const [topVia] = vias;
  if (!topVia) throw malformed('Via is missing');
  const from = parseNameAddr(required(message, 'From'));
  const to = parseNameAddr(required(message, 'To'));
  const sequence = parseSequence(required(message, 'CSeq'));
  if (message.kind === 'request' && sequence.method !== message.method)
    throw malformed('CSeq is of another method');
  checkMaxForwards(headerValue(message, 'Max-Forwards'));
  if (message.kind === 'request' && message.method === 'PRACK') requireRack(message);
  return {
    topVia,
    viaCount: vias.length,
    from,
    to,
    fromTag: tagOf(from),
    toTag: tagOf(to),
    callId: parseCallId(required(message, 'Call-ID')),
    sequence,
  };
}

function required(message: SipMessage, name: string): string {
  const value = headerValue(message, name);
  if (value === null || value === '') throw malformed(`${name} is missing`);
  return value;
}

function parseSequence(text: string): { number: number; method: string } {
  const match = SEQUENCE.exec(text);
  const number = Number(match?.[1]);
  const method = match?.[2] ?? '';
  if (!match || number > MAX_SEQUENCE || !isToken(method)) throw malformed('CSeq has a wrong form');
  return { number, method };
}

function parseCallId(text: string): string {
  if (!CALL_ID.test(text)) throw malformed('Call-ID has a wrong form');
  return text;
}

/**
 * RFC 2543 does not require Max-Forwards, so it may be missing; a malformed value is refused. The grammar allows leading
 * zeros, as RFC 4475 section 3.1.1.1 has them.
 */
function checkMaxForwards(text: string | null): void {
  if (text !== null && (!/^\d{1,10}$/.test(text) || Number(text) > 255))
    throw malformed('Max-Forwards has a wrong form');
}
