/**
 * SIP and browser calls with their audio, all behind the interface `CallLeg`. Independent of assistants and campaigns.
 */
export type { AmbientLoop } from './ambience.ts';
export type {
  AnswerSettings,
  CallerHeader,
  CallLeg,
  DtmfSetting,
  KeysOutcome,
  LegEnd,
  LegEvent,
  LegReferral,
  MediaPort,
  MediaStats,
  MediaTick,
  ReferralOutcome,
  ServerAddress,
  StoredDialog,
  TransferOutcome,
} from './call-leg.ts';
export type { MediaFactory, MediaTarget, RtpMedia } from './media-factory.ts';
export { createSipEndpoint } from './sip/sip-endpoint.ts';
export { createSipFront, type FrontTarget, type SipFront, type SipFrontOptions } from './sip/sip-front.ts';
export type { EncryptionPolicy, OwnAddress, StrayAnswer, TransportName } from '@parley/sip';
export type { TlsOptions } from './sip/open-transports.ts';
export type { EndpointDiagnostics } from './sip/endpoint-diagnostics.ts';
export { ForbiddenTrunkError } from './sip/agent-driver.ts';
export type { TrunkAnswer, TrunkQuestion, TrunkReply } from './sip/endpoint-queries.ts';
export { probePort, type PortState } from './sip/probe-port.ts';
export type { DatagramTap } from './sip/agent-driver.ts';
export type { IncomingHandler, IncomingInfo, SipEndpoint } from './sip/sip-endpoint-port.ts';
export type { SipEndpointOptions } from './sip/sip-endpoint-options.ts';
export type { SipTrace, TracedMessage } from './sip/sip-traces.ts';
export type { HeaderNumbers } from './sip/header-numbers.ts';
export type { DialRequest, TrunkAddress, TrunkHost, TrunkTarget, TrunkTargets } from './sip/dial-request.ts';
export { Registration } from './sip/registration.ts';
export type {
  RegistrarAddress,
  RegistrationRequest,
  RegistrationState,
  RegistrationStatus,
} from './sip/registration-request.ts';
export { DEFAULT_RATE_LIMIT, type RateLimit } from './sip/source-rate-limit.ts';
export {
  createRtpMediaFactory,
  type RtpMediaFactory,
  type RtpMediaOptions,
} from './rtp/rtp-media-factory.ts';
export type { PortRange } from './rtp/port-pool.ts';
export { AgentStream, type AgentStreamOptions, type StreamEndReason } from './streams/agent-stream.ts';
export type { StreamIdentity } from './streams/stream-messages.ts';
export type { StreamSocket } from './streams/stream-socket.ts';
export { createCarrierLeg, type CarrierLegOptions } from './carrier-streams/carrier-leg.ts';
export { MessageAllowance } from './streams/message-allowance.ts';
export { DialedCarrierLeg, type CarrierReport, type DialedLegOptions } from './carrier-streams/dialed-leg.ts';
export { CarrierStream } from './carrier-streams/carrier-stream.ts';
export type { CarrierStreamStart } from './carrier-streams/carrier-protocol.ts';
export { telnyxProtocol } from './carrier-streams/telnyx-messages.ts';
export { twilioProtocol } from './carrier-streams/twilio-messages.ts';
export { createBrowserLeg, type BrowserLeg, type BrowserLegOptions } from './browser/browser-leg.ts';
export { createWebRtcFactory, type WebRtcFactory, type WebRtcOptions } from './webrtc/webrtc-factory.ts';
export type { BrowserSocket, ClientMessage, ServerMessage } from './browser/browser-socket.ts';
