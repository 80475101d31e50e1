/**
 * Via: the path of a request, which its response takes back (RFC 3261 sections 18.2 and 20.42, RFC 3581).
 *
 *     SIP/2.0/UDP host:port;branch=z9hG4bK…;rport;received=…
 */
import { malformed, SipParseError } from './parse-error.ts';
import { formatParams, isToken, parseParams, type Params } from './scan.ts';
import { formatHostPort, parseHostPort } from './uri.ts';

/** One hop. */
export interface Via {
  /** `UDP`, `TCP`, … in upper case. */
  transport: string;
  host: string;
  port: number | null;
  params: Params;
}

/** RFC 3261 section 8.1.1.7: the branch ID "MUST always begin with the characters "z9hG4bK"." */
export const BRANCH_COOKIE = 'z9hG4bK';

/** Parses one Via entry; whitespace is allowed around the slashes and the colon. @throws SipParseError */
export function parseVia(text: string): Via {
  const first = text.indexOf('/');
  const second = text.indexOf('/', first + 1);
  const protocol = text.slice(0, Math.max(0, first)).trim();
  const version = text.slice(first + 1, Math.max(0, second)).trim();
  const sentBy = text.slice(second + 1).trim();
  const blank = sentBy.search(/\s/);
  const transport = sentBy.slice(0, Math.max(0, blank));
  if (first === -1 || second === -1 || !isToken(transport)) throw malformed('a Via is malformed');
  if (protocol.toUpperCase() !== 'SIP') throw malformed('a Via names another protocol');
  if (version !== '2.0') throw new SipParseError(505, 'a Via names another SIP version');
  return { transport: transport.toUpperCase(), ...parseSentBy(sentBy.slice(blank)) };
}

function parseSentBy(text: string): Pick<Via, 'host' | 'port' | 'params'> {
  const semicolon = text.indexOf(';');
  return {
    ...parseHostPort(semicolon === -1 ? text : text.slice(0, semicolon)),
    params: parseParams(semicolon === -1 ? '' : text.slice(semicolon)),
  };
}

/** The inverse of {@link parseVia}. */
export function formatVia(via: Via): string {
  return `SIP/2.0/${via.transport} ${formatHostPort(via.host, via.port)}${formatParams(via.params)}`;
}

/**
 * The Via as the receiver of a request completes it: adds `received` when the address differs, and `received` and the
 * source port when the sender asks for `rport` (RFC 3261 section 18.2.1, RFC 3581 section 4).
 */
export function completeVia(via: Via, source: { host: string; port: number }): Via {
  const wantsPort = via.params.has('rport');
  const params = new Map(via.params);
  params.delete('received');
  if (wantsPort || via.host !== source.host) params.set('received', source.host);
  if (wantsPort) params.set('rport', String(source.port));
  return { ...via, params };
}
