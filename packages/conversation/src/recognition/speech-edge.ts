/**
 * Where the caller's audio really ended. The detector reports speech for up to 85 ms after its end, in windows of 32 ms.
 * That is accurate enough for decisions, but a latency that is counted from there would look better than it is.
 */
import { rmsDbfs, SILENCE_DBFS } from '@parley/audio';
import { FRAME_MS, type AudioTick } from '../audio-line.ts';

/** The length of audio for which a level is stored, milliseconds. */
const SLICE_MS = 5;
const SLICES_PER_FRAME = FRAME_MS / SLICE_MS;
/** How many levels are stored: 6.4 s, more than the longest wait for the end of a turn. */
const KEPT_SLICES = 6400 / SLICE_MS;
/** The longest delay of the detector. */
const SEARCHED_SLICES = 240 / SLICE_MS;
/** Audio is speech if it is at most this far below the loudest level of the last second. */
const BELOW_LOUDEST_DB = 30;
/** The same for what follows it: the soft end of a last syllable. */
const SOFT_END_DB = 40;
const LAST_SECOND_SLICES = 1000 / SLICE_MS;
/** The longest soft end, with a closure such as that of a "t" before it. */
const SOFT_SLICES = 80 / SLICE_MS;
/** Softer audio is never speech. */
const FLOOR_DBFS = -50;

/** The levels of a call's latest sound. */
export class SpeechEdge {
  /** The levels in dBFS, at the slice number modulo the length. */
  readonly #levels = new Float32Array(KEPT_SLICES).fill(SILENCE_DBFS);
  /** The delay of the jitter buffer in milliseconds, at the frame number modulo the length. It changes during a call. */
  readonly #delaysMs = new Float32Array(KEPT_SLICES / SLICES_PER_FRAME);
  #newest = -1;

  /** Adds one frame. */
  hear({ index, received, receivedAgoMs }: Pick<AudioTick, 'index' | 'received' | 'receivedAgoMs'>): void {
    this.#delaysMs[index % this.#delaysMs.length] = receivedAgoMs ?? 0;
    const length = received.length / SLICES_PER_FRAME;
    for (let at = 0; at < SLICES_PER_FRAME; at++) {
      this.#newest = index * SLICES_PER_FRAME + at;
      this.#levels[this.#newest % KEPT_SLICES] = rmsDbfs(received.subarray(at * length, (at + 1) * length));
    }
  }

  /**
   * The end of the last slice with speech, at or before the end that the detector reported; to 5 ms.
   *
   * @param detectedMs - end of the detector's last window of speech
   */
  before(detectedMs: number): number {
    const last = Math.ceil(detectedMs / SLICE_MS) - 1;
    const threshold = this.#thresholdAt(last, BELOW_LOUDEST_DB);
    if (threshold === null) return detectedMs;
    for (let slice = last; slice > last - SEARCHED_SLICES && slice >= 0; slice--)
      if (this.#level(slice) >= threshold) return Math.min(detectedMs, (slice + 1) * SLICE_MS);
    return detectedMs;
  }

  /**
   * The same, with the soft end of a last syllable, which may lie behind the end that the detector reported. Where sound goes
   * on for longer, it is not the end of that speech. Needs the sound of 80 ms more.
   */
  withSoftEnd(detectedMs: number): number {
    const endMs = this.before(detectedMs);
    const first = Math.ceil(endMs / SLICE_MS);
    const beyond = first + SOFT_SLICES;
    const threshold = this.#thresholdAt(first - 1, SOFT_END_DB);
    if (threshold === null || beyond > this.#newest || this.#level(beyond) >= threshold) return endMs;
    for (let slice = beyond - 1; slice >= first; slice--)
      if (this.#level(slice) >= threshold) return (slice + 1) * SLICE_MS;
    return endMs;
  }

  /** When the sound that ends at `endMs` was received: by the delay of its own frame, not of the newest one. */
  arrivalOf(endMs: number): number {
    const frame = Math.max(0, Math.ceil(endMs / FRAME_MS) - 1);
    return endMs - (this.#delaysMs[frame % this.#delaysMs.length] ?? 0);
  }

  /** The level of speech around a slice, dBFS; null where the levels are not there. */
  #thresholdAt(slice: number, belowLoudestDb: number): number | null {
    const isKept = slice <= this.#newest && slice > this.#newest - KEPT_SLICES + LAST_SECOND_SLICES;
    return isKept ? Math.max(FLOOR_DBFS, this.#loudestBefore(slice) - belowLoudestDb) : null;
  }

  #loudestBefore(last: number): number {
    let loudest = SILENCE_DBFS;
    for (let slice = Math.max(0, last - LAST_SECOND_SLICES); slice <= last; slice++)
      loudest = Math.max(loudest, this.#level(slice));
    return loudest;
  }

  #level(slice: number): number {
    return this.#levels[slice % KEPT_SLICES] ?? SILENCE_DBFS;
  }
}
