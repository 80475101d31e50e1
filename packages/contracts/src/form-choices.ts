/**
 * The values and limits that forms of the admin app offer. A module without imports: a page that loads it loads no schema,
 * and the library of schemas is a third of the script that a page may load.
 */

/** Kinds of accounts with carriers. */
export const carrierKinds = ['twilio', 'telnyx'] as const;

/** How calls to the numbers of an account with a carrier reach this installation. */
export const carrierInboundWays = ['sip_trunk', 'media_stream'] as const;

/** How calls over the trunk of an account with a carrier leave this installation. */
export const carrierOutboundWays = ['sip_trunk', 'media_stream'] as const;

/** Kinds of numbers that carriers sell. */
export const soldNumberTypes = ['local', 'mobile', 'toll_free'] as const;

/** Bytes of the file of a document. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** Kinds of providers with a URL; all but the first have a default one. */
export const remoteProviderKinds = [
  'openai-compatible',
  'openai',
  'anthropic',
  'google',
  'deepgram',
  'assemblyai',
  'elevenlabs',
  'cartesia',
] as const;

/** Kinds of phone number, as the specification labels them. */
export const phoneNumberLabels = ['Normal', 'SIP', 'Caller ID'] as const;

/** The keys by which a caller chooses an assistant. */
export const menuKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/** Limits of the queue of a number. */
export const queueLimits = {
  max_calls: { minimum: 1, maximum: 1000 },
  max_waiting: { minimum: 1, maximum: 100 },
  max_wait_seconds: { minimum: 10, maximum: 3600 },
  announce_every_seconds: { minimum: 15, maximum: 600 },
} as const;

/** What happens when the agent of a media stream cannot be reached, or fails: the assistant continues the call, or it ends. */
export const streamFallbacks = ['assistant', 'hang_up'] as const;

/** Bytes of an uploaded sound. */
export const MAX_SOUND_BYTES = 10 * 1024 * 1024;

/** How SIP messages travel to a trunk. */
export const trunkTransports = ['udp', 'tcp', 'tls'] as const;

/** Whether the audio of a trunk is encrypted (SRTP with keys in SDP, RFC 4568). */
export const trunkMediaEncryptions = ['none', 'required'] as const;

/** How the audio of a trunk is encoded: G.711 (mu-law and A-law), and with a wider band G.722 and Opus. */
export const trunkCodecs = ['pcmu', 'pcma', 'g722', 'opus'] as const;

/** The port of a host without a port and without SRV records (RFC 3261 section 19.1.2). */
export function defaultSipPort(transport: (typeof trunkTransports)[number]): number {
  return transport === 'tls' ? 5061 : 5060;
}

/** Which numbers a trunk can reach; `fictional`: only numbers reserved for fiction. */
export const trunkReaches = ['fictional', 'any'] as const;

/** How keys are sent: as RTP events, SIP INFO or tones; `auto`: events if the far end supports them, otherwise tones. */
export const trunkDtmf = ['auto', 'rfc4733', 'info', 'inband'] as const;

/** How the numbers of outbound calls and transfers are written to a trunk; `national`: as dialed in its default country. */
export const trunkNumberFormats = ['e164', 'e164_without_plus', 'national'] as const;

/** Where the number of an inbound caller is read. A header that is absent is replaced by From. */
export const trunkCallerSources = ['from', 'p_asserted_identity', 'remote_party_id'] as const;

/** Where the called number of an inbound call is looked for first. */
export const trunkCalledSources = ['request_uri', 'to', 'p_called_party_id', 'diversion'] as const;

/** Whom the far end may name in a REFER. */
export const trunkRefer = ['refused', 'numbers', 'numbers_and_extensions'] as const;

/** Which headers of an outbound call contain the number of the caller: From, or From and one of the others. */
export const trunkCallerHeaders = ['from', 'p_asserted_identity', 'p_preferred_identity'] as const;

/** The events that webhook endpoints may subscribe to. */
export const endpointEvents = [
  'call.started',
  'call.answered',
  'call.ended',
  'call.evaluated',
  'recording.ready',
  'voicemail.received',
  'lead.settled',
  'campaign.completed',
  'trunk.paused',
  'limit.warning',
  'limit.reached',
] as const;

/** The events that deliveries report. */
export const deliveryEvents = [
  'call.finished',
  'call.incoming',
  'conversation.ended',
  ...endpointEvents,
] as const;

/** The keys of a telephone. */
export const telephoneKeys = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'] as const;

/** The state of a lead in the admin app: what the dialer does with an open lead, and the status of an ended one. */
export const leadStates = [
  'waiting',
  'dialing',
  'waiting-to-retry',
  'blocked',
  'completed',
  'reached-max-retries',
] as const;

/** Classes of the status of an answer, in the API log. */
export const statusClasses = ['2xx', '4xx', '5xx'] as const;

/** One of {@link statusClasses}. */
export type StatusClass = (typeof statusClasses)[number];

/** The methods of the API. */
export const apiMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** One of {@link apiMethods}. */
export type ApiMethod = (typeof apiMethods)[number];
