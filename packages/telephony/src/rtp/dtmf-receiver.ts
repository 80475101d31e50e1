/**
 * Detects DTMF keys in RFC 4733 packets and reports each once, however many of its packets are lost or repeated. All
 * packets of a key carry the timestamp of its start. A key is reported with its first end packet or, if all end packets are
 * lost, when another key starts or no packet has arrived for 100 ms.
 */
import { timestampDistance } from './rtp-packet.ts';
import { parseTelephoneEvent, type TelephoneEvent } from './telephone-event.ts';

/** Frames of 20 ms without a packet after which a key counts as released: twice the longest packet interval in use. */
const LOST_END_FRAMES = 5;

/** A key press. */
export interface KeyPress {
  digit: string;
  durationMs: number;
}

/** Detects the keys of one received stream. */
export class DtmfReceiver {
  /** The clock rate of the durations. */
  clockRateHz: number;
  readonly #onKey: (key: KeyPress) => void;
  #open: { digit: string; startedAt: number; duration: number } | null = null;
  /** Timestamp of the latest reported key; packets with this or an earlier timestamp are repetitions. */
  #reportedAt: number | null = null;
  #framesSincePacket = 0;

  constructor(sampleRateHz: number, onKey: (key: KeyPress) => void) {
    this.clockRateHz = sampleRateHz;
    this.#onKey = onKey;
  }

  /** Takes a packet of the negotiated payload type. */
  receive(timestamp: number, payload: Uint8Array): void {
    const event = parseTelephoneEvent(payload);
    if (!event || this.#isOld(timestamp)) return;
    this.#framesSincePacket = 0;
    if (this.#open && this.#open.startedAt !== timestamp && !this.#isContinuation(timestamp, event))
      this.#report();
    this.#follow(timestamp, event);
    if (event.isEnd) this.#report();
  }

  /** Called every 20 ms. */
  tick(): void {
    if (this.#open && ++this.#framesSincePacket >= LOST_END_FRAMES) this.#report();
  }

  /** A new source has timestamps that are unrelated to the old ones. */
  reset(): void {
    if (this.#open) this.#report();
    this.#reportedAt = null;
  }

  #isOld(timestamp: number): boolean {
    const latest = this.#open?.startedAt ?? this.#reportedAt;
    if (latest === null) return false;
    const distance = timestampDistance(timestamp, latest);
    return distance < 0 || (distance === 0 && this.#open === null);
  }

  /** An event longer than the 16-bit duration continues in a new segment with a new timestamp (RFC 4733 section 2.5.1.3). */
  #isContinuation(timestamp: number, event: TelephoneEvent): boolean {
    const open = this.#open;
    return open?.digit === event.digit && timestampDistance(timestamp, open.startedAt) === 0xff_ff;
  }

  #follow(timestamp: number, event: TelephoneEvent): void {
    const open = this.#open;
    if (!open) {
      this.#open = { digit: event.digit, startedAt: timestamp, duration: event.duration };
      return;
    }
    const earlier = timestampDistance(timestamp, open.startedAt);
    open.duration = Math.max(open.duration, earlier + event.duration);
  }

  #report(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = null;
    this.#reportedAt = open.startedAt;
    this.#onKey({ digit: open.digit, durationMs: Math.round((open.duration * 1000) / this.clockRateHz) });
  }
}
