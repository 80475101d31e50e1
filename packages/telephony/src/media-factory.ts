/**
 * What signalling asks of the sound side: open a pair of sockets for one leg, point it at the far end once an answer
 * is agreed, and point it elsewhere when a re-INVITE moves it. Implemented by `rtp/` (`createRtpMediaFactory`); tests
 * of signalling bring their own silent one.
 */
import type { MediaPort } from './call-leg.ts';

/** What both ends agreed on (RFC 3264), seen from us. */
export interface MediaTarget {
  /** Where we send. The first real source of packets may replace it (symmetric RTP). */
  remoteHost: string;
  remotePort: number;
  codec: 'PCMU' | 'PCMA';
  /** RTP payload type of `codec`, the same both ways: 0, 8 or dynamic. */
  payloadType: number;
  /** Payload type of telephone-event (RFC 4733), or null where the far end takes none. */
  telephoneEventPayloadType: number | null;
  /** Our direction: `recvonly` and `inactive` send nothing, `sendonly` and `inactive` hear nothing (hold). */
  direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
}

/** The RTP side of one leg. One owner, who closes it. Never throws out of a socket or a worker. */
export interface RtpMedia extends MediaPort {
  /** The bound RTP port, even; goes into our SDP. */
  readonly localPort: number;
  /**
   * Starts the 20 ms clock at the first call. Later calls (re-INVITE) change target, codec and direction and forget
   * the source that was latched on (symmetric RTP), so that sound can move; ticks go on without a gap.
   */
  connect(target: MediaTarget): void;
  /** Sends keys (0-9 * # A-D) as RFC 4733 events, 160 ms each, 100 ms apart. Ignored without a payload type. */
  sendDtmf(digits: string): void;
  /** Every key pressed at the far end, once. One listener. */
  onDtmf(listener: (key: { digit: string; durationMs: number }) => void): void;
  /**
   * Calls `listener` once when `limitMs` have passed without a packet from the far end, counted from `connect` or the
   * last packet; not while our direction hears nothing. One listener; a later call replaces it.
   */
  onSilence(limitMs: number, listener: () => void): void;
  /** Stops the clock and gives the port back. No listener is called afterwards. Harmless when repeated. */
  close(): void;
}

/** Hands out RTP media. */
export interface MediaFactory {
  /**
   * Binds a free even port on `localHost`.
   *
   * @throws Error when no port of the range is free
   */
  openMedia(options: { localHost: string }): Promise<RtpMedia>;
}
