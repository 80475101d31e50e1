/**
 * Via: the way a request came and its response must go back (RFC 3261 sections 18.2 and 20.42, RFC 3581).
 *
 *     SIP/2.0/UDP host:port;branch=z9hG4bK…;rport;received=…
 */
import { malformed, SipParseError } from './parse-error.ts';
import { formatParams, parseParams, type Params } from './scan.ts';
import { formatHostPort, parseHostPort } from './uri.ts';

/** One hop. */
export interface Via {
  /** `UDP`, `TCP`, … in upper case. */
  transport: string;
  host: string;
  port: number | null;
  params: Params;
}

/** Branches made by elements of RFC 3261 begin so; they are unique over space and time (section 8.1.1.7). */
export const BRANCH_COOKIE = 'z9hG4bK';

const PROTOCOL = /^(\S+)\s*\/\s*(\S+)\s*\/\s*([A-Za-z0-9\-.!%*_+`'~]+)\s+(?=\S)/;

/** Takes one Via entry apart; blanks may stand around slashes and the colon. @throws SipParseError */
export function parseVia(text: string): Via {
  const match = PROTOCOL.exec(spaceSlashes(text));
  if (!match) throw malformed('a Via has a wrong form');
  if (match[1]?.toUpperCase() !== 'SIP') throw malformed('a Via is not of SIP');
  if (match[2] !== '2.0') throw new SipParseError(505, 'a Via is of another version');
  const rest = spaceSlashes(text).slice(match[0].length);
  const semicolon = rest.indexOf(';');
  return {
    transport: (match[3] ?? '').toUpperCase(),
    ...parseHostPort(semicolon === -1 ? rest : rest.slice(0, semicolon)),
    params: parseParams(semicolon === -1 ? '' : rest.slice(semicolon)),
  };
}

/** Sets the first two slashes apart, so that one expression without backtracking reads `SIP/2.0/UDP` however spaced. */
function spaceSlashes(text: string): string {
  const first = text.indexOf('/');
  const second = text.indexOf('/', first + 1);
  if (first === -1 || second === -1) return text;
  return `${text.slice(0, first).trim()} / ${text.slice(first + 1, second).trim()} / ${text.slice(second + 1).trim()}`;
}

/** The inverse of {@link parseVia}. */
export function formatVia(via: Via): string {
  return `SIP/2.0/${via.transport} ${formatHostPort(via.host, via.port)}${formatParams(via.params)}`;
}

/**
 * The Via as the receiver of a request completes it: `received` whenever the address differs or `rport` asks
 * (RFC 3581 section 4), and the port into an empty `rport`.
 */
export function completeVia(via: Via, source: { host: string; port: number }): Via {
  const wantsPort = via.params.has('rport');
  const params = new Map(via.params);
  params.delete('received');
  if (wantsPort || via.host !== source.host) params.set('received', source.host);
  if (wantsPort) params.set('rport', String(source.port));
  return { ...via, params };
}
