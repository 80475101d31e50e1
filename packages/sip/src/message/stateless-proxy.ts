/**
 * The message transformations of a stateless proxy (RFC 3261 section 16.11): adds our Via to a request and removes it from
 * the response. The proxy keeps no state between the two; the return path is encoded in the Via. In-dialog requests do not
 * pass the proxy: without Record-Route they are sent directly to the Contact.
 */
import { createHash } from 'node:crypto';
import { buildResponse } from './build-response.ts';
import { defaultPort, type Destination, type TransportName } from './destination.ts';
import { readEnvelope } from './envelope.ts';
import { headerList, headerValue, type HeaderField, type SipRequest, type SipResponse } from './message.ts';
import { splitList } from './scan.ts';
import { BRANCH_COOKIE, completeVia, formatVia, parseVia, type Via } from './via.ts';

/** A request ready to be forwarded, or the response with which we refuse it. */
export type ForwardedRequest =
  | { kind: 'forward'; request: SipRequest; callId: string; isInDialog: boolean }
  | { kind: 'refuse'; response: SipResponse; destination: Destination };

/** A response ready to be returned. */
export interface ReturnedResponse {
  response: SipResponse;
  destination: Destination;
}

const USUAL_MAX_FORWARDS = 70;
const TOO_MANY_HOPS = 483;
/** A parameter of our own Via: the connection on which the request arrived, so that the response can pass NAT. */
const CONNECTION_PARAM = 'connection';
/** Another one: the transport over which it arrived, which the sender's Via only claims. */
const OVER_PARAM = 'over';

/**
 * Prepares a request from `source` for the next hop over UDP.
 *
 * @param own - the address in our Via, to which the next hop sends its responses
 * @throws SipParseError when the fields that forwarding needs are malformed
 */
export function forwardRequest(
  request: SipRequest,
  source: Destination,
  own: { host: string; port: number },
): ForwardedRequest {
  const [top = '', ...others] = headerList(request, 'Via');
  const topVia = completeVia(parseVia(top), { ...source, port: source.port });
  const received = withHeader(request, 'Via', [formatVia(topVia), ...others].join(', '));
  const { callId, toTag } = readEnvelope(received);
  const hops = Number(headerValue(request, 'Max-Forwards') ?? USUAL_MAX_FORWARDS);
  if (hops === 0) {
    const destination = wayBack(topVia, source);
    return { kind: 'refuse', response: buildResponse(received, TOO_MANY_HOPS), destination };
  }
  const forwarded = withHeader(received, 'Max-Forwards', String(hops - 1));
  const via = { name: 'Via', value: formatVia(ownVia(topVia, { source, own, callId })) };
  const headers = [via, ...forwarded.headers];
  return { kind: 'forward', request: { ...forwarded, headers }, callId, isInDialog: toTag !== null };
}

/**
 * A response of the next hop without our Via, and its destination; null when the top Via is not ours.
 *
 * @throws SipParseError when its Via entries cannot be read
 */
export function returnResponse(
  response: SipResponse,
  own: { host: string; port: number },
): ReturnedResponse | null {
  const [ours = '', ...rest] = headerList(response, 'Via');
  const [next] = rest;
  if (next === undefined) return null;
  const via = parseVia(ours);
  if (via.host !== own.host || via.port !== own.port) return null;
  const connection = Number(via.params.get(CONNECTION_PARAM) ?? 0);
  return {
    response: withHeader(response, 'Via', rest.join(', ')),
    destination: wayBack(parseVia(next), {
      transport: overOf(via),
      connectionId: connection > 0 ? connection : null,
    }),
  };
}

/**
 * The source address that the previous hop added to its Via as `received`, and the transport over which the message came to
 * it; null when there is no previous hop.
 */
export function hopBehind(
  headers: readonly HeaderField[],
): { host: string; transport: TransportName } | null {
  const vias = headers.filter(({ name }) => name === 'Via').flatMap(({ value }) => splitList(value));
  const [ours = '', previous] = vias;
  if (previous === undefined) return null;
  const via = parseVia(previous);
  return { host: via.params.get('received') ?? via.host, transport: overOf(parseVia(ours)) };
}

/**
 * The branch is a function of the request, so that a retransmission stays in its transaction. CANCEL and the ACK of a
 * failure carry the Via of their INVITE and therefore get the same branch (section 16.11).
 */
function ownVia(
  topVia: Via,
  at: { source: Destination; own: { host: string; port: number }; callId: string },
): Via {
  const identity = `${formatVia(topVia)} ${at.callId}`;
  const branch = BRANCH_COOKIE + createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  const params = new Map<string, string | null>([
    ['branch', branch],
    [OVER_PARAM, at.source.transport],
  ]);
  if (at.source.connectionId !== null) params.set(CONNECTION_PARAM, String(at.source.connectionId));
  return { transport: 'UDP', host: at.own.host, port: at.own.port, params };
}

/** The destination of a response by its Via (RFC 3261 section 18.2.2, RFC 3581 section 4). */
function wayBack(
  via: Via,
  { transport, connectionId }: Pick<Destination, 'transport' | 'connectionId'>,
): Destination {
  const rport = via.params.get('rport') ?? null;
  const port = rport === null ? (via.port ?? defaultPort(transport)) : Number(rport);
  return { transport, host: via.params.get('received') ?? via.host, port, connectionId };
}

function overOf(ownVia: Via): TransportName {
  const over = ownVia.params.get(OVER_PARAM);
  return over === 'tcp' || over === 'tls' ? over : 'udp';
}

/** Replaces all header lines of a name by one, at the position of the first one or at the end. */
function withHeader<M extends SipRequest | SipResponse>(message: M, name: string, value: string): M {
  const at = message.headers.findIndex((field) => field.name === name);
  const others = message.headers.filter((field) => field.name !== name);
  return { ...message, headers: others.toSpliced(at === -1 ? others.length : at, 0, { name, value }) };
}
