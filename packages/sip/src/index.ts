/**
 * SIP as a pure state machine: messages, transactions, dialogs, registrations, digest authentication, offer and answer. It has no socket,
 * clock or timer; time and randomness are injected. Start reading at `call/user-agent.ts`.
 */
export { UserAgent, type AgentLoad } from './call/user-agent.ts';
export type { AgentOptions, SessionTimerSetting } from './dialog/agent-core.ts';
export type {
  AgentAction,
  CallEnd,
  CallEvent,
  CallNumber,
  IncomingCall,
  StrayAnswer,
} from './call/agent-actions.ts';
export type { InviteRequest, InviteTarget } from './call/invite-request.ts';
export type { RedirectRefusal, RedirectTarget } from './call/redirect.ts';
export {
  defaultPort,
  peerTransport,
  type Destination,
  type TlsPeer,
  type TransportFault,
  type TransportName,
} from './message/destination.ts';
export type { StoredDescription, StoredDialog } from './dialog/dialog.ts';
export type { ReferOutcome, ReferRequest } from './call/refer.ts';
export type { ReferTarget } from './call/refer-target.ts';
export { Binding, type BindingOptions } from './registration/binding.ts';
export type { QueryOutcome, SipQuery } from './registration/query.ts';
export type { ChallengeRefusal } from './dialog/authentication.ts';
export { parseVia } from './message/via.ts';
export { isAudioUsable } from './media/offer-answer.ts';
export { sessionDescription } from './message/session-description.ts';
export type { RegisterOutcome } from './registration/register-outcome.ts';
export type { RegisterRequest } from './registration/send-register.ts';
export type { Credentials } from './message/digest.ts';
export { CODECS, USUAL_CODECS, type Codec, type ReceivedFormat } from './media/codecs.ts';
export type { AgreedMedia, EncryptionPolicy, LocalMedia } from './media/offer-answer.ts';
export type { CryptoSuite, MediaEncryption } from './media/crypto-line.ts';
export type { Direction } from './media/sdp.ts';
export { addressFor, type OwnAddress } from './message/own-address.ts';
export type { RandomSource } from './message/random.ts';
export type { TimerValues } from './transaction/transaction.ts';
export { FramingError, StreamFramer, type Frame } from './message/stream-framer.ts';
export { MAX_MESSAGE_BYTES } from './message/limits.ts';
export { escapeUser, formatHostPort, parseSipUri, userOf, type SipUri } from './message/uri.ts';
export { buildResponse } from './message/build-response.ts';
export { answerableRequest, requestOf } from './message/answerable-request.ts';
export {
  formatNameAddr,
  nameAddr,
  parseNameAddr,
  parseNameAddrList,
  tagOf,
  type NameAddr,
} from './message/name-addr.ts';
export { SipParseError } from './message/parse-error.ts';
export {
  bodyText,
  headerList,
  headerValue,
  headerValues,
  type HeaderField,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from './message/message.ts';
export { parseMessage } from './message/parse-message.ts';
export { replacesOf } from './message/replaces.ts';
export { serialiseMessage } from './message/serialise-message.ts';
export {
  forwardRequest,
  returnResponse,
  hopBehind,
  requestToPeer,
  type ForwardedRequest,
  type ReturnedResponse,
} from './message/stateless-proxy.ts';
