/**
 * What signalling requires of media: open a pair of sockets for a leg, connect it to the far end after offer and answer,
 * and move it after a re-INVITE. Implemented by `rtp/` (`createRtpMediaFactory`); tests of signalling use a silent one.
 */
import type { Codec, MediaEncryption, ReceivedFormat } from '@parley/sip';
import type { MediaPort } from './call-leg.ts';

/** The agreed media (RFC 3264), seen from our side. */
export interface MediaTarget {
  /** Where we send, until the source of the far end's packets is known (symmetric RTP). */
  remoteHost: string;
  remotePort: number;
  /** The address from which the far end's signalling comes; a far end behind NAT may send its audio from there. */
  signallingHost?: string;
  codec: Codec;
  /** RTP payload type of `codec`: 0, 8, 9 or dynamic. */
  payloadType: number;
  /** Payload type of telephone-event (RFC 4733), null if the far end does not support it. */
  telephoneEventPayloadType: number | null;
  /** The clock rate of these events. Absent: 8000. */
  telephoneEventClockRateHz?: number;
  /** What is received besides, and how; a payload type in it means that, also where it is one of those above. Absent: nothing. */
  alsoReceived?: readonly ReceivedFormat[];
  /** The limit of the far end for Opus, bits per second. Absent: none. */
  maxBitrate?: number;
  /** The far end takes packets of 10 ms only. Absent: 20 ms. */
  packetMs?: 10;
  /** Our direction: `recvonly` and `inactive` send nothing, `sendonly` and `inactive` receive nothing (hold). */
  direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
  /** Absent for plain RTP. The keys are secret: they are never logged. */
  encryption?: MediaEncryption;
}

/** How keys travel in RTP. */
export type KeyForm = 'events' | 'tones';

/** The RTP side of one leg. Its owner closes it. Never throws from a socket or a worker. */
export interface RtpMedia extends MediaPort {
  /** The bound RTP port, even; goes into our SDP. */
  readonly localPort: number;
  /**
   * The first call starts the 20 ms clock. Later calls (re-INVITE) change target, codec and direction, and reset the
   * learned source of symmetric RTP, so that media can move; ticks continue without a gap.
   */
  connect(target: MediaTarget): void;
  /**
   * Sends DTMF keys (0-9 * # A-D) of 160 ms, 100 ms apart: as RFC 4733 events, which are dropped without a payload type, or
   * as tones.
   */
  sendDtmf(digits: string, as: KeyForm): void;
  /** Reports every DTMF key of the far end once: events, or tones if the far end does not support events. One listener. */
  onDtmf(listener: (key: { digit: string; durationMs: number }) => void): void;
  /**
   * Calls `listener` once when `limitMs` have passed without RTP or RTCP from the far end since `connect` or the last
   * packet, not counting time in which our direction receives nothing. One listener; a later call replaces it. With
   * `Infinity` it is never called.
   */
  onSilence(limitMs: number, listener: () => void): void;
  /** Stops the clock and releases the port. No listener is called afterwards. Idempotent. */
  close(): void;
}

/** Opens RTP media. */
export interface MediaFactory {
  /**
   * Binds a free even port on `localHost`.
   *
   * @param options.sampleRateHz - of the leg; default 8000
   * @throws Error when no port of the range is free
   */
  openMedia(options: { localHost: string; sampleRateHz?: 8000 | 16_000 }): Promise<RtpMedia>;
}
