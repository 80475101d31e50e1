/**
 * Dialogs (RFC 3261 section 12): the state that two user agents share from the first response to the BYE.
 */
import { buildRequest } from '../message/build-request.ts';
import {
  defaultPort,
  type Destination,
  type PeerBehind,
  type Received,
  type TransportName,
} from '../message/destination.ts';
import {
  headerList,
  type HeaderField,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../message/message.ts';
import { formatNameAddr, nameAddr, parseNameAddr } from '../message/name-addr.ts';
import { SipParseError } from '../message/parse-error.ts';
import { parseSipUri, type SipUri } from '../message/uri.ts';

/** Identifiers of the dialog, the route of its requests, and the latest CSeq numbers. */
export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  /** Empty for a peer that follows RFC 2543 and sets no tag. */
  readonly remoteTag: string;
  readonly localUri: string;
  readonly remoteUri: string;
  /** The far end's Contact; a re-INVITE or UPDATE may change it. */
  remoteTarget: string;
  /** Route entries in the order we send them, with brackets. */
  routeSet: readonly string[];
  localSequence: number;
  /** Last CSeq number of the far end, null before its first request. */
  remoteSequence: number | null;
  destination: Destination;
}

/** What an offer of another process needs of our latest description (RFC 3264 section 8). */
export interface StoredDescription {
  sessionId: number;
  version: number;
  /** The streams of the latest description, in order: a rejected one has port 0. */
  streams: { type: string; protocol: string; payloads: string; port: number }[];
}

/**
 * A dialog in a form that another process can store, to end the call when this process has died, or to go on with it.
 * JSON-safe.
 */
export interface StoredDialog {
  callId: string;
  localTag: string;
  remoteTag: string;
  localUri: string;
  remoteUri: string;
  remoteTarget: string;
  routeSet: string[];
  /** Last CSeq number we used; the BYE must use a higher one. */
  localSequence: number;
  transport: TransportName;
  /** `namedBy`, `namedByPort`, `tls` and `over`: see {@link Destination}. */
  destination: Pick<Destination, 'host' | 'port' | 'namedBy' | 'namedByPort' | 'tls' | 'over'>;
  /** The session description; only in a confirmed dialog. */
  description?: StoredDescription | undefined;
}

/**
 * The dialog ID (section 12), seen from our side. Section 7.3.1: "parameter values are case-insensitive", which tags are, and a Call-ID
 * is not.
 */
export function dialogKey(callId: string, localTag: string, remoteTag: string): string {
  return `${callId} ${localTag.toLowerCase()} ${remoteTag.toLowerCase()}`;
}

/**
 * The caller's dialog with one fork, from its response.
 *
 * @param invitedUri - the Request-URI of the INVITE, for a response without Contact
 * @throws SipParseError on broken Record-Route
 */
export function dialogFromResponse(invitedUri: string, response: Received<SipResponse>): Dialog {
  const { envelope, message, source } = response;
  const routeSet = headerList(message, 'Record-Route').toReversed();
  const remoteTarget = contactUri(message) ?? invitedUri;
  return {
    callId: envelope.callId,
    localTag: envelope.fromTag ?? '',
    remoteTag: envelope.toTag ?? '',
    localUri: envelope.from.uri,
    remoteUri: envelope.to.uri,
    remoteTarget,
    routeSet,
    localSequence: envelope.sequence.number,
    remoteSequence: null,
    destination: nextHop(routeSet, remoteTarget, source),
  };
}

/**
 * The callee's dialog, from the request that opens it. Section 12.1.1: "the UAS MUST copy all Record-Route header field
 * values from the request into the response", so the same values are our route set.
 *
 * @throws SipParseError without a usable Contact
 */
export function dialogFromRequest(request: Received<SipRequest>, localTag: string): Dialog {
  const { envelope, message, source, behind } = request;
  const routeSet = [...flowTo(behind), ...headerList(message, 'Record-Route')];
  const remoteTarget = contactUri(message);
  if (remoteTarget === null) throw new SipParseError(400, 'Contact is missing');
  return {
    callId: envelope.callId,
    localTag,
    remoteTag: envelope.fromTag ?? '',
    localUri: envelope.to.uri,
    remoteUri: envelope.from.uri,
    remoteTarget,
    routeSet,
    localSequence: 0,
    remoteSequence: envelope.sequence.number,
    destination: nextHop(routeSet, remoteTarget, source, behind),
  };
}

/**
 * Confirms an early dialog by the 2xx of the same fork. RFC 3261 section 13.2.2.4: "the route set for the dialog MUST be
 * recomputed based on the 2xx response". Its CSeq numbers continue.
 */
export function confirmDialog(dialog: Dialog, confirmed: Dialog): void {
  dialog.remoteTarget = confirmed.remoteTarget;
  dialog.routeSet = confirmed.routeSet;
  dialog.destination = confirmed.destination;
}

/** Takes a new remote target from Contact (section 12.2). True if it differs. @throws SipParseError */
export function refreshTarget(dialog: Dialog, received: Received): boolean {
  const { message, source, behind } = received;
  const target = contactUri(message);
  const { over } = dialog.destination;
  const flow = over ? flowTo(behind) : [];
  const isSameFlow = flow.length === 0 || flow[0] === dialog.routeSet[0];
  if (isSameFlow && (target === null || target === dialog.remoteTarget)) return false;
  dialog.remoteTarget = target ?? dialog.remoteTarget;
  // The peer may have opened another connection with our own proxy.
  if (!isSameFlow) dialog.routeSet = [...flow, ...dialog.routeSet.slice(1)];
  dialog.destination = over
    ? { ...nextHop(dialog.routeSet, dialog.remoteTarget, hopBefore(dialog, source), behind), over }
    : directHop(dialog, source, behind);
  return true;
}

/**
 * The next hop of a dialog without a flow. Its peer may have sent this request through our own proxy, as the callee of a call over TLS
 * does: ours go to the next hop directly all the same, over the transport that the peer has used.
 */
function directHop(dialog: Dialog, source: Destination, behind?: PeerBehind): Destination {
  const before = behind ? { ...source, transport: behind.transport } : source;
  const peer = behind && { ...behind, flow: null };
  return nextHop(dialog.routeSet, dialog.remoteTarget, hopBefore(dialog, before), peer);
}

/**
 * The connection of a peer over TCP with our own proxy is closed: requests go to the next hop directly from now on. False where they
 * cannot, as over TLS, or do already.
 */
export function leaveFlow(dialog: Dialog): boolean {
  const { over, namedBy: host = '', namedByPort: port = 0 } = dialog.destination;
  if (over !== 'tcp') return false;
  dialog.routeSet = dialog.routeSet.slice(1);
  const peer = { transport: over, host, port, connectionId: null };
  dialog.destination = nextHop(dialog.routeSet, dialog.remoteTarget, peer);
  return true;
}

/** The Route to a peer that is reached through its connection with our own proxy; otherwise none. */
function flowTo(behind: PeerBehind | undefined): string[] {
  return behind?.flow ? [behind.flow] : [];
}

/** A dialog over TLS stays there, and with the peer that it was opened with. */
function hopBefore({ destination: { transport, tls } }: Dialog, source: Destination): Destination {
  if (transport !== 'tls') return source;
  const connectionId = source.transport === 'tls' ? source.connectionId : null;
  return { ...source, transport, connectionId, tls: source.tls ?? tls };
}

/** A request inside the dialog with the next CSeq number; an ACK repeats that of its INVITE. */
export function requestInDialog(
  dialog: Dialog,
  method: string,
  extras: { headers?: readonly HeaderField[]; body?: Uint8Array; sequence?: number } = {},
): SipRequest {
  const sequence = extras.sequence ?? (dialog.localSequence += 1);
  const remote = dialog.remoteTag === '' ? {} : { tag: dialog.remoteTag };
  return buildRequest({
    method,
    sequence,
    callId: dialog.callId,
    ...extras,
    ...addressing(dialog),
    from: nameAddr(dialog.localUri, { tag: dialog.localTag }),
    to: nameAddr(dialog.remoteUri, remote),
  });
}

/** The Request-URI of requests in this dialog, for their digest. */
export function requestUri(dialog: Dialog): string {
  return addressing(dialog).uri;
}

/**
 * Section 12.2.1.1: for a loose router (`lr`) "the UAC MUST place the remote target URI into the Request-URI"; for a strict
 * router its own URI is the Request-URI and the remote target is the last Route.
 */
function addressing({ routeSet, remoteTarget }: Dialog): { uri: string; routes: readonly string[] } {
  const [first] = routeSet;
  const firstUri = first === undefined ? null : parseNameAddr(first).uri;
  if (firstUri === null || parseSipUri(firstUri).params.has('lr'))
    return { uri: remoteTarget, routes: routeSet };
  return { uri: firstUri, routes: [...routeSet.slice(1), formatNameAddr(nameAddr(remoteTarget))] };
}

/**
 * The next hop: the top route, or else the target. The URI may name the transport; otherwise it stays the same. A dialog over
 * TLS stays there: a URI of the far end must not move it to a transport on which others read along.
 *
 * @param behind - the peer that has named the next hop, unless our own proxy has named itself by a Record-Route
 */
function nextHop(
  routeSet: readonly string[],
  remoteTarget: string,
  before: Destination,
  behind?: PeerBehind,
): Destination {
  const uri = parseSipUri(routeSet[0] === undefined ? remoteTarget : parseNameAddr(routeSet[0]).uri);
  const transport = before.transport === 'tls' ? 'tls' : (transportOf(uri) ?? before.transport);
  const connectionId = transport === before.transport ? before.connectionId : null;
  const { tls } = before;
  const isThroughFlow = behind !== undefined && behind.flow !== null;
  const isNamedBehind = behind !== undefined && (isThroughFlow || uri.host !== before.host);
  const { host: namedBy, port: namedByPort } = isNamedBehind ? behind : before;
  const hop = { transport, host: uri.host, port: uri.port ?? defaultPort(transport), connectionId };
  return {
    ...hop,
    namedBy,
    namedByPort,
    ...(tls ? { tls } : {}),
    ...(isThroughFlow ? { over: behind.transport } : {}),
  };
}

/** RFC 3261 section 26.2.2: a SIPS URI requires TLS. Null: the URI names no transport that we have. */
function transportOf({ scheme, params }: SipUri): TransportName | null {
  if (scheme === 'sips') return 'tls';
  const named = params.get('transport')?.toLowerCase();
  return named === 'udp' || named === 'tcp' || named === 'tls' ? named : null;
}

/** The first Contact, null if there is none. @throws SipParseError when it is not a SIP URI */
function contactUri(message: SipMessage): string | null {
  const [contact] = headerList(message, 'Contact');
  if (contact === undefined || contact === '*') return null;
  const { uri } = parseNameAddr(contact);
  parseSipUri(uri);
  return uri;
}

/** The stored form of a dialog, which {@link dialogFromStored} reads. */
export function storeDialog(dialog: Dialog): StoredDialog {
  const { callId, localTag, remoteTag, localUri, remoteUri, remoteTarget, localSequence, destination } =
    dialog;
  return {
    callId,
    localTag,
    remoteTag,
    localUri,
    remoteUri,
    remoteTarget,
    localSequence,
    routeSet: [...dialog.routeSet],
    transport: destination.transport,
    destination: {
      host: destination.host,
      port: destination.port,
      ...(destination.namedBy === undefined ? {} : { namedBy: destination.namedBy }),
      ...(destination.namedByPort === undefined ? {} : { namedByPort: destination.namedByPort }),
      ...(destination.tls === undefined ? {} : { tls: destination.tls }),
      ...(destination.over === undefined ? {} : { over: destination.over }),
    },
  };
}

/** A dialog that another process stored. @throws SipParseError when the record is malformed */
export function dialogFromStored(stored: StoredDialog): Dialog {
  const { transport, destination, description: _description, ...rest } = stored;
  const dialog = {
    ...rest,
    remoteSequence: null,
    destination: { ...destination, transport, connectionId: null },
  };
  addressing(dialog);
  return dialog;
}
