/**
 * The private contract between our own processes: worker and api ask voice. Every request carries
 * `Authorization: Bearer <INTERNAL_SECRET>`. Not part of the public API and free to change.
 */
import { endReasons } from './end-reasons.ts';
import { z } from 'zod';
import { callEvaluation } from './call-evaluation.ts';
import { c } from './contract.ts';
import { errorBody } from './errors.ts';
import { idParameter } from './fields.ts';
import { trunkDiagnosis } from './trunk-diagnosis.ts';
import { textQuestionBody, textReply } from './text-reply.ts';

/** What any process needs to end an answered call properly (RFC 3261 section 12). Mirrors telephony's `StoredDialog`. */
export const storedDialog = z.object({
  callId: z.string(),
  localTag: z.string(),
  remoteTag: z.string(),
  localUri: z.string(),
  remoteUri: z.string(),
  remoteTarget: z.string(),
  routeSet: z.array(z.string()),
  localSequence: z.int(),
  transport: z.enum(['udp', 'tcp', 'tls']),
  destination: z.object({
    host: z.string(),
    port: z.int(),
    namedBy: z.string().optional(),
    namedByPort: z.int().optional(),
    tls: z.object({ serverName: z.string(), isVerified: z.boolean() }).optional(),
    over: z.enum(['udp', 'tcp', 'tls']).optional(),
  }),
  description: z
    .object({
      sessionId: z.int(),
      version: z.int(),
      streams: z.array(
        z.object({ type: z.string(), protocol: z.string(), payloads: z.string(), port: z.int() }),
      ),
    })
    .optional(),
});

/** The state of a call in its voice process: dialing, ringing, in conversation, or ending. */
export const internalCallState = z.object({ state: z.string() });

const empty = z.object({});

/** How a supervisor takes part in a call: hears it, or talks to the customer in place of the assistant. */
export const supervisionMode = z.enum(['listen', 'talk']);
/** See {@link supervisionMode}. */
export type SupervisionMode = z.output<typeof supervisionMode>;

/** What is whispered to an assistant. */
export const whisperText = z.string().trim().min(1).max(500);

/** For {@link SUPERVISE_PATH}; it begins with the id of the call and a dot. */
export const supervisionTicket = z.object({ ticket: z.string() });
/** The states of a call that a carrier holds, in order, as Twilio names them. The last five are final. */
export const carrierCallStates = [
  'queued',
  'initiated',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'no-answer',
  'failed',
  'canceled',
] as const;

/** What a carrier reports about an outbound call. `sip_status`: the final response behind the state, if the carrier tells it. */
export const carrierCallReport = z.object({
  carrier_call_id: z.string(),
  state: z.enum(carrierCallStates),
  sip_status: z.int().nullable(),
});

const unauthenticated = { 401: errorBody } as const;

/** The contract that voice serves to worker and api. */
export const internal = c.router(
  {
    takeCall: {
      method: 'PUT',
      path: '/internal/calls/:id',
      pathParams: idParameter,
      summary: 'Hand a call over; may be repeated',
      body: z.object({ created_at: z.string(), process_id: z.uuid() }),
      responses: {
        202: z.object({ state: z.literal('taken') }),
        /** Fenced: the id is not that of this process, which may have registered again. */
        409: errorBody,
        /** Full or draining. */
        503: errorBody,
      },
    },
    getCall: {
      method: 'GET',
      path: '/internal/calls/:id',
      pathParams: idParameter,
      summary: 'What became of a call',
      responses: { 200: internalCallState, 404: errorBody },
    },
    hangUp: {
      method: 'POST',
      path: '/internal/calls/:id/hang-up',
      pathParams: idParameter,
      summary: 'End a call',
      body: z.object({ reason: z.enum(endReasons) }),
      responses: { 202: empty, 404: errorBody },
    },
    evaluate: {
      method: 'POST',
      path: '/internal/calls/:id/evaluation',
      pathParams: idParameter,
      summary: 'Evaluate a call that has ended, and settle it; may be repeated',
      body: empty,
      responses: {
        202: empty,
        /** Draining. */
        503: errorBody,
      },
    },
    reply: {
      method: 'POST',
      path: '/internal/replies',
      summary: 'Reply to written messages as an assistant of a user; stops when the connection closes',
      body: textQuestionBody.extend({ user_id: z.int(), assistant_id: z.int() }),
      responses: {
        200: textReply,
        404: errorBody,
        /** No model answered. */
        502: errorBody,
        /** Draining, or too many replies at once. */
        503: errorBody,
      },
    },
    diagnoseTrunk: {
      method: 'POST',
      path: '/internal/trunks/:id/diagnosis',
      pathParams: idParameter,
      summary: 'Diagnose a trunk, for a user who may see what is found',
      body: z.object({ call_id: z.int().nullable() }),
      responses: {
        200: trunkDiagnosis,
        404: errorBody,
        /** This trunk, or too many others, are being diagnosed. */
        503: errorBody,
      },
    },
    evaluateAgain: {
      method: 'POST',
      path: '/internal/evaluations',
      summary:
        'Evaluate an old call by the present settings of its assistant; stops when the connection closes',
      body: z.object({ user_id: z.int(), call_id: z.int() }),
      responses: {
        200: callEvaluation,
        404: errorBody,
        /** The call is not over, or the assistant has no schema. */
        409: errorBody,
        /** No model answered. */
        502: errorBody,
        /** Draining, or too many replies and evaluations at once. */
        503: errorBody,
      },
    },
    supervise: {
      method: 'POST',
      path: '/internal/calls/:id/supervisors',
      pathParams: idParameter,
      summary:
        'A ticket with which a supervisor listens in, or talks in place of the assistant; valid once for 60 s',
      body: z.object({ mode: supervisionMode, is_announced: z.boolean() }),
      responses: {
        200: supervisionTicket,
        404: errorBody,
        /** The state of the call does not permit it. */
        409: errorBody,
      },
    },
    whisper: {
      method: 'POST',
      path: '/internal/calls/:id/whispers',
      pathParams: idParameter,
      summary: 'An instruction for the assistant from its next reply on, which the customer does not hear',
      body: z.object({ text: whisperText }),
      responses: {
        200: empty,
        404: errorBody,
        /** The assistant cannot follow it. */
        409: errorBody,
      },
    },
    transfer: {
      method: 'POST',
      path: '/internal/calls/:id/transfer',
      pathParams: idParameter,
      summary: 'Begin to transfer a call to a destination of its assistants; the timeline shows the outcome',
      body: z.object({ destination: z.string() }),
      responses: {
        200: empty,
        404: errorBody,
        /** No such destination, or the state of the call does not permit it. */
        409: errorBody,
      },
    },
    reportCarrierCall: {
      method: 'POST',
      path: '/internal/calls/:id/carrier-reports',
      pathParams: idParameter,
      summary: 'What the carrier reports about a call that it dials and streams to us; may be repeated',
      body: carrierCallReport,
      responses: { 200: empty, 404: errorBody },
    },
    takeOver: {
      method: 'POST',
      path: '/internal/take-overs',
      summary: 'Go on with the calls of a process whose lease has run out; may be repeated',
      body: z.object({ process_id: z.uuid() }),
      responses: {
        /** The calls that this process holds now. */
        202: z.object({ calls: z.int() }),
        /** Draining, or not registered. */
        503: errorBody,
      },
    },
    sendBye: {
      method: 'POST',
      path: '/internal/dialogs/bye',
      summary: 'End the dialog of a process that died',
      body: z.object({ dialog: storedDialog }),
      responses: { 202: empty },
    },
  },
  { strictStatusCodes: true, commonResponses: { ...unauthenticated, 400: errorBody, 422: errorBody } },
);

/** Voice's WebSocket for the audio of browser calls: `?ticket=...`. */
export const WEB_CALL_PATH = '/internal/web-calls';

/** The same WebSocket at the api, for browsers. */
export const TALK_PATH = '/talk';

/** Voice's WebSocket for the calls that a carrier streams to us: `?carrier=...`, one of the kinds of accounts. */
export const CARRIER_STREAM_PATH = '/internal/carrier-streams';

/** Voice's WebSocket for supervisors of calls: `?ticket=...`. */
export const SUPERVISION_PATH = '/internal/supervisors';

/** The same WebSocket at the api, for browsers. */
export const SUPERVISE_PATH = '/supervise';

/** Text frames to supervisors: JSON. Binary frames are sound, as in browser calls. */
export const supervisionServerMessage = z.discriminatedUnion('type', [
  /** The customer is being told; sound and words follow after that. */
  z.object({ type: z.literal('announcing') }),
  /** `destinations`: the names of those to whom the call can be transferred. */
  z.object({ type: z.enum(['listening', 'talking']), destinations: z.array(z.string()) }),
  /** Repeated with the same sender and start when the text is corrected. `start_ms`: since the answer. */
  z.object({
    type: z.literal('turn'),
    sender: z.enum(['bot', 'human']),
    text: z.string(),
    start_ms: z.number(),
  }),
  z.object({ type: z.literal('ended') }),
]);

/** Text frames from supervisors: JSON. The assistant continues, which it also does when the connection is lost. */
export const supervisionClientMessage = z.object({ type: z.literal('give-back') });

/** Messages to supervisors. */
export type SupervisionServerMessage = z.output<typeof supervisionServerMessage>;

/** Audio of a browser call, both directions: binary frames, mono, PCM16 little endian, 20 ms. */
export const WEB_CALL_SAMPLE_RATE_HZ = 16_000;

/** In the query of the WebSocket of a call: the browser is going to offer WebRTC, where `ready` has `ice_servers`. */
export const WEB_CALL_WEBRTC = 'webrtc';

/** A STUN or TURN server for the browser, as `RTCPeerConnection` takes it. */
export const iceServer = z.object({
  urls: z.string(),
  username: z.string().optional(),
  credential: z.string().optional(),
});
export type IceServer = z.output<typeof iceServer>;

/**
 * Text frames from the server: JSON. `clear` drops what has not been played yet (the caller has interrupted); `sound-path`
 * says what carries the sound of both sides from then on, before the first one the WebSocket.
 */
export const webCallServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), call_id: z.int(), ice_servers: z.array(iceServer).optional() }),
  z.object({ type: z.literal('webrtc-answer'), sdp: z.string() }),
  z.object({ type: z.literal('sound-path'), path: z.enum(['webrtc', 'websocket']) }),
  z.object({ type: z.literal('clear') }),
  z.object({ type: z.literal('turn'), sender: z.enum(['bot', 'human']), text: z.string() }),
  z.object({ type: z.literal('ended'), reason: z.string() }),
]);

/** Text frames from the browser: JSON. */
export const webCallClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('dtmf'), digit: z.string().regex(/^[0-9*#A-D]$/) }),
  z.object({ type: z.literal('hang-up') }),
  z.object({ type: z.literal('webrtc-offer'), sdp: z.string() }),
  z.object({ type: z.literal('webrtc-failed') }),
]);

/** Control messages of the server. */
export type WebCallServerMessage = z.output<typeof webCallServerMessage>;
/** Control messages of the browser. */
export type WebCallClientMessage = z.output<typeof webCallClientMessage>;
