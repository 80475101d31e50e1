/** The INVITE of an outbound call. */
import { ALLOW, ALLOW_REFER, type AgentCore, type SessionTimerSetting } from '../dialog/agent-core.ts';
import { buildRequest } from '../message/build-request.ts';
import type { Destination } from '../message/destination.ts';
import type { Credentials } from '../message/digest.ts';
import { SUPPORTED } from '../message/extensions.ts';
import { SDP_TYPE, textBody, type HeaderField, type SipRequest } from '../message/message.ts';
import { nameAddr } from '../message/name-addr.ts';
import type { LocalMedia } from '../media/offer-answer.ts';
import { requestFields } from './session-timer.ts';

/** The parameters of an outbound call. */
export interface InviteRequest {
  /** Chosen by the application, so that one attempt can never become two calls. */
  callId: string;
  from: { uri: string; displayName?: string };
  /** Request-URI and To. */
  toUri: string;
  destination: Destination;
  /** Further servers of the trunk in their order, for a call that the one before has certainly not taken. */
  alternatives?: readonly InviteTarget[];
  media: LocalMedia;
  credentials?: Credentials;
  headers?: readonly HeaderField[];
  /** The far end may refer us to another party (RFC 3515). Default: REFER gets 405. */
  acceptsRefer?: boolean;
}

/** Another server to which the same INVITE may be sent. */
export interface InviteTarget {
  /** The Request-URI. */
  uri: string;
  destination: Destination;
}

/** What differs between the INVITEs of one call. */
export interface InviteAttempt {
  /** The Request-URI; To stays that of the first INVITE. */
  uri: string;
  destination: Destination;
  sequence: number;
  localTag: string;
  offer: string;
  timer: SessionTimerSetting;
  /** The answers to challenges. */
  credentials: readonly HeaderField[];
}

/** Builds one INVITE. @throws TypeError on a header name that is not a token */
export function buildInvite(core: AgentCore, request: InviteRequest, attempt: InviteAttempt): SipRequest {
  const { callId, from, toUri, headers = [] } = request;
  const named = from.displayName === undefined ? {} : { displayName: from.displayName };
  return buildRequest({
    method: 'INVITE',
    uri: attempt.uri,
    callId,
    sequence: attempt.sequence,
    from: nameAddr(from.uri, { ...named, tag: attempt.localTag }),
    to: nameAddr(toUri),
    headers: [
      ...attempt.credentials,
      core.contact(attempt.destination, attempt.uri),
      request.acceptsRefer ? ALLOW_REFER : ALLOW,
      SUPPORTED,
      ...requestFields(attempt.timer),
      { name: 'User-Agent', value: core.options.userAgent },
      ...headers,
      SDP_TYPE,
    ],
    body: textBody(attempt.offer),
  });
}
