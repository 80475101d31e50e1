/** Sends DTMF keys as tones in the audio, where the far end supports nothing else: 160 ms each, 100 ms apart. */
import { dtmfTone } from '@parley/audio';
import { keysOf } from './telephone-event.ts';

const KEY_MS = 160;
const GAP_MS = 100;

/** The keys that a leg has yet to send. */
export class ToneSender {
  readonly #sampleRateHz: number;
  #waiting = '';
  /** The sound of the current key with the pause after it. */
  #sound = new Int16Array(0);

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  /** Whether keys are left, or the pause after the last one is not over. */
  get isSending(): boolean {
    return this.#sound.length > 0 || this.#waiting !== '';
  }

  /** Adds keys; other characters are ignored. */
  push(digits: string): void {
    this.#waiting += keysOf(digits);
  }

  /** Fills a frame with the sound of the keys; false, with the frame unchanged, if there is none. */
  takeInto(frame: Int16Array): boolean {
    if (!this.isSending) return false;
    if (this.#sound.length === 0) this.#startNextKey();
    frame.fill(0);
    frame.set(this.#sound.subarray(0, frame.length));
    this.#sound = this.#sound.subarray(frame.length);
    return true;
  }

  #startNextKey(): void {
    const samplesPerMs = this.#sampleRateHz / 1000;
    const tone = dtmfTone(this.#waiting.slice(0, 1), {
      sampleRateHz: this.#sampleRateHz,
      samples: KEY_MS * samplesPerMs,
    });
    this.#waiting = this.#waiting.slice(1);
    this.#sound = new Int16Array((KEY_MS + GAP_MS) * samplesPerMs);
    this.#sound.set(tone);
  }
}
