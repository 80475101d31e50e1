/**
 * Packet loss concealment in the manner of ITU-T G.711 appendix I: the last pitch period is repeated and fades out within
 * 60 ms; when packets arrive again, the repetition is cross-faded into them.
 */
import { clip } from '@parley/audio';

/** Full amplitude for the first 10 ms, then a linear fade to zero. */
const HOLD_MS = 10;
const FADE_OUT_MS = 50;
/** Length of the cross-fade from repetition to received audio. */
const JOIN_MS = 4;
/** The range of voice pitch. */
const LOWEST_PITCH_HZ = 66;
const HIGHEST_PITCH_HZ = 400;
/** Length of the history, and of the part that is compared to find the pitch. */
const HISTORY_MS = 40;
const TEMPLATE_MS = 20;

/** The concealment of one received stream. */
export class Concealment {
  readonly #sampleRateHz: number;
  /** The latest received or concealed audio, oldest sample first. */
  readonly #history: Int16Array;
  #period = 0;
  /** Samples since the gap began, until it has been joined to the audio that follows. */
  #madeUp = 0;
  /** Samples of the cross-fade that are done. */
  #joined = 0;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#history = new Int16Array(this.#samples(HISTORY_MS));
  }

  /**
   * Completes a frame of which only some samples were received.
   *
   * @param isThere - 1 for each received sample; as long as the frame
   * @returns the number of concealed samples
   */
  complete(frame: Int16Array, isThere: Uint8Array): number {
    let madeUp = 0;
    for (let from = 0; from < frame.length;) {
      const kind = isThere[from];
      let to = from + 1;
      while (to < frame.length && isThere[to] === kind) to++;
      const piece = frame.subarray(from, to);
      if (kind === 1) this.hear(piece);
      else this.conceal(piece);
      if (kind !== 1) madeUp += piece.length;
      from = to;
    }
    return madeUp;
  }

  /** Takes received audio; after a gap its beginning is cross-faded with the repetition. */
  hear(frame: Int16Array): void {
    if (this.#madeUp > 0) this.#join(frame);
    this.#remember(frame);
  }

  /** Generates concealment: silence before anything was received. */
  conceal(frame: Int16Array): void {
    if (this.#madeUp === 0) this.#period = this.#findPeriod();
    this.#joined = 0;
    for (let i = 0; i < frame.length; i++) frame[i] = this.#nextSample(i, frame);
    this.#madeUp += frame.length;
    this.#remember(frame);
  }

  /** Forgets the audio of the previous source. */
  reset(): void {
    this.#history.fill(0);
    this.#madeUp = 0;
    this.#joined = 0;
  }

  /** Repeats the sample of one period earlier, scaled from the original amplitude rather than from the faded copy. */
  #nextSample(index: number, frame: Int16Array): number {
    const earlier = index - this.#period;
    const source =
      earlier >= 0 ? (frame[earlier] ?? 0) : (this.#history[this.#history.length + earlier] ?? 0);
    const height = this.#height(this.#madeUp + index);
    const heightThen = this.#height(this.#madeUp + earlier);
    return heightThen === 0 ? 0 : clip((source * height) / heightThen);
  }

  /** The amplitude, 1 to 0, after that many concealed samples. */
  #height(madeUp: number): number {
    const fading = madeUp - this.#samples(HOLD_MS);
    return Math.max(0, Math.min(1, 1 - fading / this.#samples(FADE_OUT_MS)));
  }

  #join(frame: Int16Array): void {
    const whole = this.#samples(JOIN_MS);
    const length = Math.min(frame.length, whole - this.#joined);
    const continued = new Int16Array(length);
    for (let i = 0; i < length; i++) continued[i] = this.#nextSample(i, continued);
    for (let i = 0; i < length; i++) {
      const weight = (this.#joined + i + 1) / (whole + 1);
      frame[i] = clip((frame[i] ?? 0) * weight + (continued[i] ?? 0) * (1 - weight));
    }
    this.#madeUp += length;
    this.#joined += length;
    if (this.#joined < whole) return;
    this.#madeUp = 0;
    this.#joined = 0;
  }

  #remember(frame: Int16Array): void {
    const kept = this.#history.length - frame.length;
    this.#history.copyWithin(0, frame.length);
    this.#history.set(frame, kept);
  }

  /** The lag of the maximum of the normalised autocorrelation. */
  #findPeriod(): number {
    const history = this.#history;
    const start = history.length - this.#samples(TEMPLATE_MS);
    const longest = Math.min(start, Math.floor(this.#sampleRateHz / LOWEST_PITCH_HZ));
    let best = longest;
    let bestLikeness = 0;
    for (let lag = Math.floor(this.#sampleRateHz / HIGHEST_PITCH_HZ); lag <= longest; lag++) {
      const likeness = likenessAt(history, start, lag);
      // A small improvement is not enough: multiples of the period correlate equally well.
      if (likeness > bestLikeness * 1.02) {
        best = lag;
        bestLikeness = likeness;
      }
    }
    return best;
  }

  #samples(milliseconds: number): number {
    return Math.floor((milliseconds * this.#sampleRateHz) / 1000);
  }
}

/** Normalised correlation of the samples from `start` on with those `lag` samples earlier, 0 to 1. */
function likenessAt(sound: Int16Array, start: number, lag: number): number {
  let product = 0;
  let energy = 1;
  let energyBefore = 1;
  for (let i = start; i < sound.length; i++) {
    const now = sound[i] ?? 0;
    const before = sound[i - lag] ?? 0;
    product += now * before;
    energy += now * now;
    energyBefore += before * before;
  }
  return product <= 0 ? 0 : product / Math.sqrt(energy * energyBefore);
}
