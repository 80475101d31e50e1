/**
 * Where the caller's sound really ended. The detector hears speech for up to 85 ms after its end (VOICE findings), and
 * answers for windows of 32 ms; for deciding that does no harm, but a latency counted from there would flatter us.
 */
import { rmsDbfs, SILENCE_DBFS } from '@parley/audio';
import { FRAME_MS, type AudioTick } from '../audio-line.ts';

/** Levels of so many frames are kept: 6.4 s, more than the longest wait for the end of a turn. */
const KEPT_FRAMES = 320;
/** The detector is at most so far behind. */
const SEARCHED_FRAMES = 12;
/** Speech is what is no more than this below the loudest of its last second. */
const BELOW_LOUDEST_DB = 30;
const LAST_SECOND_FRAMES = 50;
/** Nothing softer is speech. */
const FLOOR_DBFS = -50;

/** The levels of a call's latest frames. */
export class SpeechEdge {
  /** By frame number, modulo its length; dBFS. */
  readonly #levels = new Float32Array(KEPT_FRAMES).fill(SILENCE_DBFS);
  #newest = -1;

  /** Takes note of one frame. */
  hear({ index, received }: Pick<AudioTick, 'index' | 'received'>): void {
    this.#levels[index % KEPT_FRAMES] = rmsDbfs(received);
    this.#newest = index;
  }

  /**
   * The end of the last frame with speech in it, at or before where the detector heard the end; to a frame.
   *
   * @param detectedMs - end of the detector's last window of speech
   */
  before(detectedMs: number): number {
    const last = Math.ceil(detectedMs / FRAME_MS) - 1;
    if (last > this.#newest || last <= this.#newest - KEPT_FRAMES + LAST_SECOND_FRAMES) return detectedMs;
    const threshold = Math.max(FLOOR_DBFS, this.#loudestBefore(last) - BELOW_LOUDEST_DB);
    for (let frame = last; frame > last - SEARCHED_FRAMES && frame >= 0; frame--)
      if (this.#level(frame) >= threshold) return Math.min(detectedMs, (frame + 1) * FRAME_MS);
    return detectedMs;
  }

  #loudestBefore(last: number): number {
    let loudest = SILENCE_DBFS;
    for (let frame = Math.max(0, last - LAST_SECOND_FRAMES); frame <= last; frame++)
      loudest = Math.max(loudest, this.#level(frame));
    return loudest;
  }

  #level(frame: number): number {
    return this.#levels[frame % KEPT_FRAMES] ?? SILENCE_DBFS;
  }
}
