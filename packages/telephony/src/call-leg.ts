/**
 * One leg of a call, whatever carries it (SIP, a browser, later a carrier's media stream). Voice sees nothing else of
 * telephony. A leg never throws out of an event; what goes wrong on the line ends the leg with a reason.
 */

import type { AmbientLoop } from './ambience.ts';

/** Why a leg ended. `sipStatus` is the final response where there was one (RFC 3261 section 21). */
export interface LegEnd {
  cause:
    | 'busy' // 486, 600
    | 'no-answer' // 408, 480 after ringing, or our ring limit
    | 'rejected' // any other final refusal
    | 'unreachable' // no response, transport error, 503
    | 'cancelled' // we gave up before the answer
    | 'remote-hang-up' // BYE from the far end
    | 'local-hang-up' // our BYE
    | 'line-lost'; // no RTP within the limit, session expired, connection gone
  sipStatus?: number;
  /** A short sentence for the operator, without personal data. */
  detail: string;
}

/** What another process needs to end an answered call properly (RFC 3261 section 12). JSON-safe. */
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
  transport: 'udp' | 'tcp';
  /** Where requests of this dialog were last sent. */
  destination: { host: string; port: number };
}

/** What happens on a leg, in order. */
export type LegEvent =
  | { type: 'ringing' } // 180 or 183
  | { type: 'answered'; dialog: StoredDialog | null } // media flows; null where there is no SIP dialog
  | { type: 'dialog-changed'; dialog: StoredDialog } // after a re-INVITE or a new CSeq
  | { type: 'held'; isHeld: boolean }
  | { type: 'dtmf'; digit: string; durationMs: number } // one of 0-9 * # A-D, once per key press
  | { type: 'ended'; end: LegEnd }; // always the last event, exactly once

/**
 * What came of asking the far end to call somebody else. `refused`: it will not, and nobody was called; `failed`: it
 * has called, and nobody took the call; `unknown`: somebody may have been called. `sipStatus`: what it said.
 */
export interface TransferOutcome {
  result: 'transferred' | 'refused' | 'failed' | 'unknown';
  sipStatus: number | null;
}

/** One leg. Its owner hangs up, or is told that it ended. */
export interface CallLeg {
  /** The Call-ID of SIP; unique. */
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  /** E.164 with `+` where known, else the user part of the URI, else empty. */
  readonly from: string;
  readonly to: string;
  readonly media: MediaPort;
  /** Events that happened before the first listener was added are delivered to it. */
  onEvent(listener: (event: LegEvent) => void): void;
  /** Inbound only: sends 180. */
  ring(): void;
  /** Inbound only: sends 200 with our answer. Resolves once media flows, also when the leg has ended meanwhile. */
  answer(): Promise<void>;
  /** Inbound only, before the answer. */
  reject(sipStatus: number): void;
  /** CANCEL before the answer, BYE after it. Resolves when the leg has ended; harmless afterwards. */
  hangUp(): Promise<void>;
  /** Keys as RFC 4733 events, each 160 ms. */
  sendDtmf(digits: string): void;
  /**
   * Asks the far end to call that number in our place (a blind transfer); one at a time. The leg goes on until somebody
   * hangs up. Never rejects.
   *
   * @param number - E.164
   * @param limitMs - how long its reports are waited for
   */
  transfer(number: string, limitMs: number): Promise<TransferOutcome>;
}

/** One frame time of an answered call, both directions, as they crossed the socket. */
export interface MediaTick {
  /** Counts frames from the answer; gaps never occur, a late thread delivers the missed ones at once. */
  index: number;
  /** What came from the far end: mono Int16, `frameSamples` samples; silence or concealment where nothing came. */
  received: Int16Array;
  /** True where `received` was made up because no packet was there in time. */
  isConcealed: boolean;
  /** How long ago the end of the newest real frame had come in when it was taken, milliseconds: what the jitter buffer holds. */
  receivedAgoMs: number;
  /** What we sent in this frame: mono Int16, `frameSamples` samples. */
  sent: Int16Array;
  /** The turn number given to `play` for these samples; 0 where we sent silence. */
  sentTurn: number;
  /** Samples of `sent` that came from `play` (the rest is silence), so that playout is known to the sample. */
  sentSamples: number;
  /** Samples still queued after this frame. */
  queuedSamples: number;
}

/** What a leg has sent and received so far. */
export interface MediaStats {
  packetsSent: number;
  packetsReceived: number;
  packetsLost: number;
  /** RFC 3550 interarrival jitter, milliseconds. */
  jitterMs: number;
  concealedFrames: number;
}

/** The sound of a leg. All sound is mono Int16 at `sampleRateHz`; frames are 20 ms. */
export interface MediaPort {
  readonly sampleRateHz: 8000 | 16_000 | 24_000 | 48_000;
  /** `sampleRateHz` / 50. */
  readonly frameSamples: number;
  /** Every 20 ms from the answer to the end, in order. One listener. */
  onTick(listener: (tick: MediaTick) => void): void;
  /** Appends samples of a turn to the queue; any length. The caller gives the array away. Turns start at 1. */
  play(turn: number, samples: Int16Array): void;
  /** Sends silence instead of the queue, which is kept. */
  pausePlayout(): void;
  resumePlayout(): void;
  /** Drops the queue: the next frame sent is silence. */
  clear(): void;
  /** From now on the sound of a room lies under everything that is sent, in silence too; null ends it. */
  setAmbience(loop: AmbientLoop | null): void;
  stats(): MediaStats;
}
