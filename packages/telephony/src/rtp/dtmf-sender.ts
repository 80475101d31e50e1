/**
 * Plays keys as RFC 4733 events, one packet for every 20 ms of the clock: a key lasts 160 ms, its last packet is sent
 * three times (section 2.5.1.4), then 100 ms pass before the next one. While a key is down no sound is sent.
 */
import { keysOf, type TelephoneEvent } from './telephone-event.ts';

/** Frames of 20 ms a key is down. */
const KEY_FRAMES = 8;
/** The last packet of a key and its two repetitions. */
const END_PACKETS = 3;
/** Frames from the end of a key to the start of the next; the repetitions fall into them. */
const GAP_FRAMES = 5;

/** A packet to be sent in place of sound. */
export interface KeyPacket extends TelephoneEvent {
  /** The first packet of a key; its time is the timestamp of all packets of that key. */
  isStart: boolean;
}

/** The keys one leg has still to send. */
export class DtmfSender {
  readonly #frameSamples: number;
  #waiting = '';
  #digit = '';
  /** Frames since the key of `#digit` went down. */
  #frame = 0;

  constructor(frameSamples: number) {
    this.#frameSamples = frameSamples;
  }

  /** Adds keys; anything else in the text is left out. */
  push(digits: string): void {
    this.#waiting += keysOf(digits);
  }

  /** Drops everything, also the key that is down. */
  clear(): void {
    this.#waiting = '';
    this.#digit = '';
  }

  /** What to send in this frame time; `null` means sound. */
  next(): KeyPacket | null {
    if (this.#digit === '' && !this.#takeNextKey()) return null;
    const frame = this.#frame++;
    const digit = this.#digit;
    if (frame === KEY_FRAMES - 1 + GAP_FRAMES) this.#digit = '';
    if (frame >= KEY_FRAMES - 1 + END_PACKETS) return null;
    const duration = Math.min(frame + 1, KEY_FRAMES) * this.#frameSamples;
    return { digit, isStart: frame === 0, isEnd: frame >= KEY_FRAMES - 1, duration };
  }

  #takeNextKey(): boolean {
    this.#digit = this.#waiting.slice(0, 1);
    this.#waiting = this.#waiting.slice(1);
    this.#frame = 0;
    return this.#digit !== '';
  }
}
