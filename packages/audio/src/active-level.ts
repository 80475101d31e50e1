/**
 * The level of speech without its pauses, after ITU-T P.56 method B: the mean power of the frames above a threshold that lies
 * a fixed margin below that same mean. Unlike P.56 it has no hangover of 200 ms, so that the short gaps between words do not
 * count; its results are up to about 1 dB higher. Frames may come from several streams in any order.
 */
import { rmsDbfs } from './level.ts';

/** The length of a frame, milliseconds. */
export const LEVEL_FRAME_MS = 20;

/** Between the active level and its threshold, as in P.56, decibels. */
const MARGIN_DB = 15.9;
/** Quieter frames are never speech, dBFS. */
const FLOOR_DBFS = -40;
/** The older half of the weight is dropped when this much has been measured, frames: 60 s. */
const LONGEST_FRAMES = 3000;

/** Measures one voice. The newest 30 to 60 s of sound above -40 dBFS count. */
export class ActiveLevel {
  /** Number and total power of the frames, by whole decibels above the floor. */
  readonly #counts = new Float64Array(-FLOOR_DBFS + 1);
  readonly #powers = new Float64Array(-FLOOR_DBFS + 1);
  #frames = 0;

  /** Adds one frame of {@link LEVEL_FRAME_MS}, at any rate. */
  add(frame: Int16Array): void {
    const level = rmsDbfs(frame);
    if (level < FLOOR_DBFS) return;
    const bin = Math.floor(level - FLOOR_DBFS);
    this.#counts[bin] = (this.#counts[bin] ?? 0) + 1;
    this.#powers[bin] = (this.#powers[bin] ?? 0) + 10 ** (level / 10);
    this.#frames += 1;
    if (this.#frames > LONGEST_FRAMES) this.#forget();
  }

  /** @returns the active level in dBFS, or null before any speech, and how much speech it was measured from, milliseconds */
  measure(): { dbfs: number | null; activeMs: number } {
    let result: { dbfs: number | null; activeMs: number } = { dbfs: null, activeMs: 0 };
    let count = 0;
    let power = 0;
    // From the highest threshold to the lowest; the lowest that is within the margin of its own mean is the right one.
    for (let bin = this.#counts.length - 1; bin >= 0; bin--) {
      count += this.#counts[bin] ?? 0;
      power += this.#powers[bin] ?? 0;
      if (count === 0) continue;
      const dbfs = 10 * Math.log10(power / count);
      if (dbfs - (FLOOR_DBFS + bin) <= MARGIN_DB) result = { dbfs, activeMs: count * LEVEL_FRAME_MS };
    }
    return result;
  }

  #forget(): void {
    this.#frames /= 2;
    for (let bin = 0; bin < this.#counts.length; bin++) {
      this.#counts[bin] = (this.#counts[bin] ?? 0) / 2;
      this.#powers[bin] = (this.#powers[bin] ?? 0) / 2;
    }
  }
}
