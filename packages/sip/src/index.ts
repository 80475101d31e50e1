/**
 * SIP as a pure machine: messages, transactions, dialogs, digest, offer and answer. No socket, no clock, no timer of
 * its own; the time and the randomness are handed in. Start reading at `user-agent.ts`.
 */
export { UserAgent, type AgentLoad } from './user-agent.ts';
export type { AgentOptions } from './agent-core.ts';
export type { AgentAction, CallEnd, CallEvent, CallNumber, IncomingCall } from './agent-actions.ts';
export type { InviteRequest } from './outbound-call.ts';
export type { Destination, TransportName } from './destination.ts';
export type { StoredDialog } from './dialog.ts';
export type { ReferOutcome, ReferWish } from './refer.ts';
export type { Credentials } from './digest.ts';
export type { AgreedMedia, Codec, LocalMedia } from './offer-answer.ts';
export type { Direction } from './sdp.ts';
export type { RandomSource } from './random.ts';
export type { TimerValues } from './transaction.ts';
export { FramingError, StreamFramer, type Frame } from './stream-framer.ts';
export { MAX_MESSAGE_BYTES } from './limits.ts';
export { escapeUser, formatHostPort, parseSipUri, userOf, type SipUri } from './uri.ts';
export { buildResponse } from './build-response.ts';
export { SipParseError } from './parse-error.ts';
export {
  bodyText,
  headerList,
  headerValue,
  headerValues,
  type HeaderField,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from './message.ts';
export { parseMessage } from './parse-message.ts';
export { serialiseMessage } from './serialise-message.ts';
export {
  forwardRequest,
  returnResponse,
  sourceBehind,
  type ForwardedRequest,
  type ReturnedResponse,
} from './stateless-proxy.ts';
