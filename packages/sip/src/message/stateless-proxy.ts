/**
 * The message transformations of a stateless proxy (RFC 3261 section 16.11): adds our Via to a request and removes it from
 * the response. The proxy keeps no state between the two; the return path is encoded in the Via. It adds no Record-Route, so
 * that in-dialog requests are sent to the Contact; those that are sent to the proxy nevertheless are forwarded like others.
 *
 * Deviation: section 16.3 requires 483 for a Max-Forwards of zero. The proxy and the next hop are one endpoint for others, and
 * RFC 4475 section 3.3.11 expects an endpoint to "process the request as if the Max-Forwards field value were still positive".
 * The request cannot loop, because the next hop is a user agent, which forwards nothing.
 */
import { createHash } from 'node:crypto';
import { withCompleteVia } from './answerable-request.ts';
import {
  defaultPort,
  isStream,
  type Destination,
  type PeerBehind,
  type TransportName,
} from './destination.ts';
import { readEnvelope, type Envelope } from './envelope.ts';
import { headerList, type HeaderField, type SipRequest, type SipResponse } from './message.ts';
import { formatNameAddr, nameAddr, parseNameAddr } from './name-addr.ts';
import { splitList } from './scan.ts';
import { formatHostPort, parseSipUri } from './uri.ts';
import { BRANCH_COOKIE, formatVia, parseVia, type Via } from './via.ts';

type HostPort = Pick<Destination, 'host' | 'port'>;

/** A request ready to be forwarded. */
export interface ForwardedRequest {
  request: SipRequest;
  callId: string;
  /** Null in requests by RFC 2543. */
  fromTag: string | null;
  /** The tag of the next hop when the request belongs to a dialog, otherwise null. */
  toTag: string | null;
}

/** A request of an endpoint, ready to be sent to its peer. */
export interface RequestToPeer {
  request: SipRequest;
  /** The connection of the peer with the proxy, which may be closed, and its transport. */
  connectionId: number;
  over: 'tcp' | 'tls';
}

/** A response ready to be returned. */
export interface ReturnedResponse {
  response: SipResponse;
  destination: Destination;
}

/** A parameter of our own Via and of a flow: the connection on which the request arrived, so that the response can pass NAT. */
const CONNECTION_PARAM = 'connection';
/** Another one: the transport over which it arrived, which the sender's Via only claims. */
const OVER_PARAM = 'over';

/**
 * Prepares a request from `source` for the next hop over UDP.
 *
 * @param own - the address in our Via, to which the next hop sends its responses
 * @throws SipParseError when the fields that forwarding needs are malformed
 */
export function forwardRequest(request: SipRequest, source: Destination, own: HostPort): ForwardedRequest {
  const received = withCompleteVia(request, source);
  const envelope = readEnvelope(received);
  const branch = branchFor(request, envelope);
  const via = { name: 'Via', value: formatVia(ownVia(branch, source, own)) };
  const headers = [via, ...received.headers.map(withFewerHops)];
  const { callId, fromTag, toTag } = envelope;
  return { request: { ...received, headers }, callId, fromTag, toTag };
}

/** A request without Max-Forwards gets none: it has one hop before it. */
function withFewerHops(field: HeaderField): HeaderField {
  if (field.name !== 'Max-Forwards') return field;
  return { ...field, value: String(Math.max(0, Number(field.value) - 1)) };
}

/**
 * A response of the next hop without our Via, and its destination; null when the top Via is not ours.
 *
 * @throws SipParseError when its Via entries cannot be read
 */
export function returnResponse(response: SipResponse, own: HostPort): ReturnedResponse | null {
  const [ours = '', ...rest] = headerList(response, 'Via');
  const [next] = rest;
  if (next === undefined) return null;
  const via = parseVia(ours);
  if (via.host !== own.host || via.port !== own.port) return null;
  const connection = Number(via.params.get(CONNECTION_PARAM) ?? 0);
  return {
    response: withoutFirst('Via', response),
    destination: wayBack(parseVia(next), {
      transport: overOf(via),
      connectionId: connection > 0 ? connection : null,
    }),
  };
}

/**
 * The source that the previous hop added to its Via as `received` and `rport`, and the transport over which the message came
 * to it; null when there is no previous hop. A peer over TCP or TLS is reached through its connection with the proxy, because it
 * may accept no other one, and only the proxy has a certificate; in terms of RFC 5626 that is the flow of the peer.
 */
export function hopBehind(headers: readonly HeaderField[]): PeerBehind | null {
  const vias = headers.filter(({ name }) => name === 'Via').flatMap(({ value }) => splitList(value));
  const [ours = '', previous] = vias;
  if (previous === undefined) return null;
  const via = parseVia(ours);
  const transport = overOf(via);
  const { host, port } = wayBack(parseVia(previous), { transport, connectionId: null });
  return { host, port, transport, flow: isStream(transport) ? flowOf(via) : null };
}

/** The Route of a flow. */
function flowOf({ host, port, params }: Via): string | null {
  const connection = params.get(CONNECTION_PARAM) ?? null;
  if (connection === null) return null;
  const flow = `${CONNECTION_PARAM}=${connection};${OVER_PARAM}=${params.get(OVER_PARAM) ?? ''}`;
  return formatNameAddr(nameAddr(`sip:${formatHostPort(host, port)};lr;${flow}`));
}

/**
 * Prepares a request that an endpoint sends to its peer through a flow; null for one whose top Route is none of ours.
 *
 * @param own - the address of the proxy for its endpoints
 * @param shown - the addresses in our Via
 * @throws SipParseError when the fields that forwarding needs are malformed
 */
export function requestToPeer(
  request: SipRequest,
  source: Destination,
  { own, shown }: { own: HostPort; shown: Record<RequestToPeer['over'], HostPort> },
): RequestToPeer | null {
  const [route] = headerList(request, 'Route');
  if (route === undefined) return null;
  const { host, port, params } = parseSipUri(parseNameAddr(route).uri);
  const connection = params.get(CONNECTION_PARAM) ?? null;
  const over = params.get(OVER_PARAM);
  if (host !== own.host || port !== own.port || connection === null) return null;
  if (over !== 'tcp' && over !== 'tls') return null;
  const received = withoutFirst('Route', withCompleteVia(request, source));
  const branch = branchFor(request, readEnvelope(received));
  const via = { transport: over.toUpperCase(), ...shown[over], params: new Map([['branch', branch]]) };
  const headers = [{ name: 'Via', value: formatVia(via) }, ...received.headers.map(withFewerHops)];
  return { request: { ...received, headers }, connectionId: Number(connection), over };
}

/**
 * The branch is a function of the request, so that a retransmission stays in its transaction; one from another port does, too
 * (RFC 3261 section 17.2.3). CANCEL and the ACK of a failure have the branch of their INVITE and therefore get the same one.
 * Section 16.11 derives it from the received branch, or where that is not unique from Via, tags, Call-ID, CSeq number and
 * Request-URI. The tag in To is left out, because the ACK has one and its INVITE has none.
 */
function branchFor({ uri, headers }: SipRequest, { topVia, callId, fromTag, sequence }: Envelope): string {
  const branch = topVia.params.get('branch') ?? '';
  const isUnique = branch.startsWith(BRANCH_COOKIE) && branch !== BRANCH_COOKIE;
  const written = splitList(headers.find(({ name }) => name === 'Via')?.value ?? '')[0];
  const identity = isUnique
    ? [branch, topVia.host, topVia.port, callId]
    : [written, callId, fromTag, sequence.number, uri];
  return (
    BRANCH_COOKIE + createHash('sha256').update(JSON.stringify(identity)).digest('base64url').slice(0, 22)
  );
}

function ownVia(branch: string, source: Destination, own: HostPort): Via {
  const params = new Map<string, string | null>([
    ['branch', branch],
    [OVER_PARAM, source.transport],
  ]);
  if (source.connectionId !== null) params.set(CONNECTION_PARAM, String(source.connectionId));
  return { transport: 'UDP', host: own.host, port: own.port, params };
}

/** The destination of a response by its Via (RFC 3261 section 18.2.2, RFC 3581 section 4). */
function wayBack(
  via: Via,
  { transport, connectionId }: Pick<Destination, 'transport' | 'connectionId'>,
): Destination {
  const rport = via.params.get('rport') ?? null;
  const viaPort = via.port ?? defaultPort(transport);
  const port = rport === null ? viaPort : Number(rport);
  const back = { transport, host: via.params.get('received') ?? via.host, port, connectionId };
  return isStream(transport) ? { ...back, viaPort } : back;
}

function overOf(ownVia: Via): TransportName {
  const over = ownVia.params.get(OVER_PARAM);
  return over === 'tcp' || over === 'tls' ? over : 'udp';
}

/** Removes the first entry of a list, and its line when it is alone there; the other lines stay as they are. */
function withoutFirst<Message extends SipRequest | SipResponse>(field: string, message: Message): Message {
  const at = message.headers.findIndex(({ name }) => name === field);
  const [, ...rest] = splitList(message.headers[at]?.value ?? '');
  const line = rest.length > 0 ? [{ name: field, value: rest.join(', ') }] : [];
  return { ...message, headers: message.headers.toSpliced(at, 1, ...line) };
}
