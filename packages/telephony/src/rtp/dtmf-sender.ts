/**
 * Sends DTMF keys as RFC 4733 events, one packet per 20 ms. A key lasts 160 ms and is followed by a pause of 100 ms.
 * Section 2.5.1.4: "The final packet for each event and for each segment SHOULD be sent a total of three times at the
 * interval used by the source for updates." No audio is sent during a key.
 */
import { keysOf, type TelephoneEvent } from './telephone-event.ts';

/** Duration of a key in frames of 20 ms. */
const KEY_FRAMES = 8;
/** The final packet of a key and its two repetitions. */
const END_PACKETS = 3;
/** Frames from the end of a key to the start of the next, including the repetitions. */
const GAP_FRAMES = 5;

/** A packet to send instead of audio. */
export interface KeyPacket extends TelephoneEvent {
  /** The first packet of a key, whose timestamp all packets of the key carry. */
  isStart: boolean;
}

/** The keys that a leg has yet to send. */
export class DtmfSender {
  /** The clock rate of the durations. */
  clockRateHz: number;
  #waiting = '';
  #digit = '';
  /** Frames since the start of the key `#digit`. */
  #frame = 0;

  constructor(clockRateHz: number) {
    this.clockRateHz = clockRateHz;
  }

  /** Adds keys; other characters are ignored. */
  push(digits: string): void {
    this.#waiting += keysOf(digits);
  }

  /** Drops all keys, including the current one. */
  clear(): void {
    this.#waiting = '';
    this.#digit = '';
  }

  /** The packet for this frame; `null` means audio. */
  next(): KeyPacket | null {
    if (this.#digit === '' && !this.#takeNextKey()) return null;
    const frame = this.#frame++;
    const digit = this.#digit;
    if (frame === KEY_FRAMES - 1 + GAP_FRAMES) this.#digit = '';
    if (frame >= KEY_FRAMES - 1 + END_PACKETS) return null;
    const duration = (Math.min(frame + 1, KEY_FRAMES) * this.clockRateHz) / 50;
    return { digit, isStart: frame === 0, isEnd: frame >= KEY_FRAMES - 1, duration };
  }

  #takeNextKey(): boolean {
    this.#digit = this.#waiting.slice(0, 1);
    this.#waiting = this.#waiting.slice(1);
    this.#frame = 0;
    return this.#digit !== '';
  }
}
