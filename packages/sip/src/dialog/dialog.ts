/**
 * Dialogs (RFC 3261 section 12): what two agents remember of each other between the first response and the BYE.
 */
import { buildRequest } from '../message/build-request.ts';
import type { Destination, Received, TransportName } from '../message/destination.ts';
import {
  headerList,
  type HeaderField,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../message/message.ts';
import { formatNameAddr, nameAddr, parseNameAddr } from '../message/name-addr.ts';
import { SipParseError } from '../message/parse-error.ts';
import { parseSipUri } from '../message/uri.ts';

/** Both ends' names for the dialog, where requests go, and the last numbers used. */
export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  /** Empty for a peer of RFC 2543 that sets none. */
  readonly remoteTag: string;
  readonly localUri: string;
  readonly remoteUri: string;
  /** The far end's Contact; a re-INVITE or UPDATE may change it. */
  remoteTarget: string;
  /** Route entries in the order we send them, with brackets. */
  readonly routeSet: readonly string[];
  localSequence: number;
  /** Last CSeq number of the far end, null before its first request. */
  remoteSequence: number | null;
  destination: Destination;
}

/** A dialog as another process keeps it, to end the call when ours is gone. JSON-safe. */
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
  destination: { host: string; port: number };
}

/** What tells dialogs apart, seen from us. */
export function dialogKey(callId: string, localTag: string, remoteTag: string): string {
  return `${callId} ${localTag} ${remoteTag}`;
}

/** The caller's dialog with one fork, from its response. @throws SipParseError on broken Record-Route */
export function dialogFromResponse(invite: SipRequest, response: Received<SipResponse>): Dialog {
  const { envelope, message, source } = response;
  const routeSet = headerList(message, 'Record-Route').toReversed();
  const remoteTarget = contactUri(message) ?? invite.uri;
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

/** The callee's dialog, from the request that opens it. @throws SipParseError without a usable Contact */
export function dialogFromRequest(request: Received<SipRequest>, localTag: string): Dialog {
  const { envelope, message, source } = request;
  const routeSet = headerList(message, 'Record-Route');
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
    destination: nextHop(routeSet, remoteTarget, source),
  };
}

/** Takes a new Contact (target refresh, section 12.2). True if it differs. @throws SipParseError */
export function refreshTarget(dialog: Dialog, received: Received): boolean {
  const target = contactUri(received.message);
  if (target === null || target === dialog.remoteTarget) return false;
  dialog.remoteTarget = target;
  dialog.destination = nextHop(dialog.routeSet, target, received.source);
  return true;
}

/** A request inside the dialog with the next CSeq number; an ACK takes that of its INVITE instead. */
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

/** The Request-URI a request of this dialog has, for its digest. */
export function requestUri(dialog: Dialog): string {
  return addressing(dialog).uri;
}

/** Section 12.2.1.1: loose routers find the target in the Request-URI, strict ones at the end of the routes. */
function addressing({ routeSet, remoteTarget }: Dialog): { uri: string; routes: readonly string[] } {
  const [first] = routeSet;
  const firstUri = first === undefined ? null : parseNameAddr(first).uri;
  if (firstUri === null || parseSipUri(firstUri).params.has('lr'))
    return { uri: remoteTarget, routes: routeSet };
  return { uri: firstUri, routes: [...routeSet.slice(1), formatNameAddr(nameAddr(remoteTarget))] };
}

/** Where a request goes first: the top route, else the target; its transport is that of the URI, else as before. */
function nextHop(routeSet: readonly string[], remoteTarget: string, before: Destination): Destination {
  const uri = parseSipUri(routeSet[0] === undefined ? remoteTarget : parseNameAddr(routeSet[0]).uri);
  const named = uri.params.get('transport')?.toLowerCase();
  const transport = named === 'udp' || named === 'tcp' ? named : before.transport;
  const connectionId = transport === before.transport ? before.connectionId : null;
  return { transport, host: uri.host, port: uri.port ?? 5060, connectionId };
}

/** The first Contact, null if there is none. @throws SipParseError when it is no SIP URI */
function contactUri(message: SipMessage): string | null {
  const [contact] = headerList(message, 'Contact');
  if (contact === undefined || contact === '*') return null;
  const { uri } = parseNameAddr(contact);
  parseSipUri(uri);
  return uri;
}

/** What {@link dialogFromStored} needs to speak for this dialog. */
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
    destination: { host: destination.host, port: destination.port },
  };
}

/** A dialog that another process stored. @throws SipParseError when the record is broken */
export function dialogFromStored(stored: StoredDialog): Dialog {
  const { transport, destination, ...rest } = stored;
  const dialog = {
    ...rest,
    remoteSequence: null,
    destination: { ...destination, transport, connectionId: null },
  };
  addressing(dialog);
  return dialog;
}
