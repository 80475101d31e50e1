/**
 * One leg of a call, independent of its transport (SIP or a browser). Voice uses nothing else of telephony. A leg never
 * throws from an event; an error of the connection ends the leg with a reason.
 */

import type { Codec, EncryptionPolicy, StoredDescription, TlsPeer, TransportName } from '@parley/sip';
import type { AmbientLoop } from './ambience.ts';

/** Why a leg ended. `sipStatus` is the final response where there was one (RFC 3261 section 21). */
export interface LegEnd {
  cause:
    | 'busy' // 486, 600
    | 'no-answer' // 408, 480 after ringing, or our ring limit
    | 'rejected' // any other final refusal
    | 'unreachable' // no response, transport error, 503
    | 'cancelled' // cancelled before the answer
    | 'answered-late' // answered after we had given up; the far end got BYE
    | 'remote-hang-up' // BYE from the far end
    | 'local-hang-up' // our BYE
    | 'line-lost'; // no RTP within the limit, session expired, connection gone
  sipStatus?: number;
  /** A sentence for the operator, without personal data. */
  detail: string;
}

/**
 * The dialog of an answered call (RFC 3261 section 12), with which another process can end it with BYE, or go on with it.
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
  /** The latest destination of requests in this dialog. */
  destination: {
    host: string;
    port: number;
    namedBy?: string | undefined;
    namedByPort?: number | undefined;
    /** For TLS: with whom a connection is opened. */
    tls?: TlsPeer | undefined;
    /** The transport of the peer, where messages go through our own proxy. */
    over?: TransportName | undefined;
  };
  /** What an offer of another process needs of our latest description; absent before the answer. */
  description?: StoredDescription | undefined;
}

/** A server of a trunk. */
export interface ServerAddress {
  address: string;
  port: number;
}

/** The events of a leg, in order. */
export type LegEvent =
  | { type: 'ringing'; dialog: StoredDialog | null } // 180 or 183; null without a SIP dialog
  | { type: 'answered'; dialog: StoredDialog | null } // media flows; null where there is no SIP dialog
  | { type: 'dialog-changed'; dialog: StoredDialog } // after a re-INVITE or a new CSeq
  | { type: 'failed-over'; from: ServerAddress; to: ServerAddress } // another server of the trunk gets the call
  | { type: 'held'; isHeld: boolean }
  | { type: 'replaced'; dialog: StoredDialog; by: 'replaces' | 'refer' } // another party has the call now (RFC 3891, RFC 3515)
  | { type: 'referral'; referral: LegReferral } // the far end asks us to call another party in its place
  | { type: 'dtmf'; digit: string; durationMs: number } // one of 0-9 * # A-D, once per key press
  | { type: 'ended'; end: LegEnd }; // always the last event, exactly once

/**
 * The outcome of a blind transfer. `refused`: the far end has placed no call; `failed`: the target did not answer;
 * `unknown`: the target may have been called. `sipStatus`: the status that the far end reported.
 */
export interface TransferOutcome {
  result: 'transferred' | 'refused' | 'failed' | 'unknown';
  sipStatus: number | null;
}

/** Writes a number in E.164 as a far end expects it in SIP URIs. Other user parts (an extension, a name) stay as they are. */
export type NumberWriter = (number: string) => string;

/**
 * Which header fields of an INVITE contain the number of the caller: From alone, or From and one of the fields of RFC 3325.
 */
export type CallerHeader = 'from' | 'p_asserted_identity' | 'p_preferred_identity';

/**
 * How keys are sent: `rfc4733` events in RTP, SIP `info` requests, or `inband` tones in the audio. `auto`: events if the
 * far end supports them, otherwise tones.
 */
export type DtmfSetting = 'auto' | 'rfc4733' | 'info' | 'inband';

/** What applies to a leg from its answer on. */
export interface AnswerSettings {
  /** The leg ends when no packet of the far end arrives for this time, milliseconds. Default: the limit of the transport. */
  silenceLimitMs?: number;
  /** Default: `auto`. */
  dtmf?: DtmfSetting;
  /** Offered and accepted, in order of preference. Default: PCMU and PCMA, accepted in the order of the far end. */
  codecs?: readonly Codec[];
  /** How the number of a transfer is written. Default: in E.164. */
  writeNumber?: NumberWriter;
  /**
   * `required`: the audio is encrypted (SRTP, with keys in SDP), or there is no call: an offer without keys, or one that did
   * not come over TLS, is refused with 488. Default: `none`.
   */
  encryption?: EncryptionPolicy;
  /** The far end may refer the leg to another party ({@link LegReferral}). Default: REFER gets 405. */
  acceptsRefer?: boolean;
}

/** What became of the call to the party of a referral. `sipStatus`: what the far end was told. */
export interface ReferralOutcome {
  isConnected: boolean;
  sipStatus: number;
}

/** A REFER of the far end (RFC 3515): refused, or followed by the endpoint, once. Until then the far end waits for a response. */
export interface LegReferral {
  /** The user part that was named: a number, or whatever the far end has written. */
  readonly user: string;
  /** The host that was named, in lower case; null for a `tel:` URI. */
  readonly host: string | null;
  /** How the far end calls itself, and where its messages come from, in lower case. */
  readonly ownHosts: readonly string[];
  /** The party is in a call with the far end, which is to be taken over (RFC 3891). */
  readonly isAttended: boolean;
  refuse(sipStatus: number): void;
}

/**
 * How keys were sent, or why they were not. `unsupported`: the far end does not support the method of the setting;
 * `refused`: it did not accept an INFO; `on-hold`: our direction is paused; `no-call`: the leg is not answered, or has ended.
 */
export type KeysOutcome =
  | { isSent: true; method: Exclude<DtmfSetting, 'auto'> }
  | { isSent: false; reason: 'unsupported' | 'refused' | 'on-hold' | 'no-call' };

/** One leg. It ends by {@link CallLeg.hangUp} or with the event `ended`. */
export interface CallLeg {
  /** The Call-ID of SIP. Two inbound legs may have the same one, with different tags of their callers. */
  readonly id: string;
  /** Inbound SIP legs: the From tag of the INVITE. */
  readonly callerTag?: string | undefined;
  readonly direction: 'inbound' | 'outbound';
  /** E.164 with `+` if known, otherwise the user part of the URI, otherwise empty. */
  readonly from: string;
  readonly to: string;
  readonly media: MediaPort;
  /** The first listener also receives the events that happened before it was added. */
  onEvent(listener: (event: LegEvent) => void): void;
  /**
   * Inbound only, before anything uses {@link media}: the codecs of the later {@link answer}, by which the sample rate is chosen.
   */
  allowCodecs?(codecs: readonly Codec[] | undefined): void;
  /** Inbound only: sends 180. */
  ring(): void;
  /** Inbound only: sends 200 with our SDP answer. Resolves when the leg is answered, or when it has ended meanwhile. */
  answer(settings?: AnswerSettings): Promise<void>;
  /** Inbound only, before the answer. */
  reject(sipStatus: number): void;
  /** Sends CANCEL before the answer and BYE after it. Resolves when the leg has ended; harmless afterwards. */
  hangUp(): Promise<void>;
  /** Ends an answered or resumed SIP leg and sends nothing to the far end, because another process continues its call. */
  abandon?(): void;
  /** Sends DTMF keys of 160 ms each by the method of {@link AnswerSettings.dtmf}. Never rejects. */
  sendDtmf(digits: string): Promise<KeysOutcome>;
  /**
   * Blind transfer: asks the far end to call that number in our place; one at a time. The leg continues until one side
   * hangs up. Never rejects.
   *
   * @param number - E.164
   * @param limitMs - how long to wait for the outcome
   */
  transfer(number: string, limitMs: number): Promise<TransferOutcome>;
}

/** One frame of 20 ms of an answered call, in both directions, as it crossed the socket. */
export interface MediaTick {
  /** Counts frames from the answer without gaps; a late thread delivers the missed ones at once. */
  index: number;
  /** The received audio: mono Int16, `frameSamples` samples; silence or concealment where packets are missing. */
  received: Int16Array;
  /** True if at least half of `received` is concealment, because packets did not arrive in time. */
  isConcealed: boolean;
  /** Age of the audio when it left the jitter buffer: time since the end of the frame had arrived, milliseconds. */
  receivedAgoMs: number;
  /** The audio sent in this frame: mono Int16, `frameSamples` samples. */
  sent: Int16Array;
  /** The turn that was passed to `play` with these samples; 0 for silence. */
  sentTurn: number;
  /** Samples of `sent` that came from `play` (the rest is silence), so that the playout position is exact. */
  sentSamples: number;
  /** Samples still queued after this frame. */
  queuedSamples: number;
}

/** What the far end reports by RTCP about the packets that we send (RFC 3550 section 6.4.1). */
export interface FarReport {
  packetsLost: number;
  jitterMs: number;
  /** From the reports in both directions; null before the first one that allows it. */
  roundTripMs: number | null;
}

/** Counters of a leg. */
export interface MediaStats {
  packetsSent: number;
  packetsReceived: number;
  packetsLost: number;
  /** RFC 3550 interarrival jitter, milliseconds. */
  jitterMs: number;
  concealedFrames: number;
  /** As named in SDP; absent before an agreement, and where there is no RTP. */
  codec?: Codec;
  /** Null before the first report of the far end; many send none. */
  far: FarReport | null;
}

/** The audio of a leg: mono Int16 at `sampleRateHz` in frames of 20 ms. */
export interface MediaPort {
  readonly sampleRateHz: 8000 | 16_000 | 24_000 | 48_000;
  /** `sampleRateHz` / 50. */
  readonly frameSamples: number;
  /** Every 20 ms from the answer to the end, in order. One listener. */
  onTick(listener: (tick: MediaTick) => void): void;
  /** Appends samples of a turn to the playout queue, which takes ownership of the array. Turns start at 1. */
  play(turn: number, samples: Int16Array): void;
  /** Sends silence and keeps the queue. */
  pausePlayout(): void;
  /** Sends the queue at a lower level. */
  lowerPlayout(): void;
  /** Ends a pause and a lowered level. */
  resumePlayout(): void;
  /** Drops the queue: the next frame is silence. */
  clear(): void;
  /** Mixes background sound into everything that is sent, including silence; null stops it. */
  setAmbience(loop: AmbientLoop | null): void;
  stats(): MediaStats;
}
