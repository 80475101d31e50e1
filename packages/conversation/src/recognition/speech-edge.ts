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
const LAST_SECOND_SLICES = 1000 / SLICE_MS;
/** Softer audio is never speech. */
const FLOOR_DBFS = -50;

/** The levels of a call's latest sound. */
export class SpeechEdge {
  /** The levels in dBFS, at the slice number modulo the length. */
  readonly #levels = new Float32Array(KEPT_SLICES).fill(SILENCE_DBFS);
  #newest = -1;

  /** Adds one frame. */
  hear({ index, received }: Pick<AudioTick, 'index' | 'received'>): void {
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
    if (last > this.#newest || last <= this.#newest - KEPT_SLICES + LAST_SECOND_SLICES) return detectedMs;
    const threshold = Math.max(FLOOR_DBFS, this.#loudestBefore(last) - BELOW_LOUDEST_DB);
    for (let slice = last; slice > last - SEARCHED_SLICES && slice >= 0; slice--)
      if (this.#level(slice) >= threshold) return Math.min(detectedMs, (slice + 1) * SLICE_MS);
    return detectedMs;
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
