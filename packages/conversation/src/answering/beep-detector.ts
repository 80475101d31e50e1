/**
 * Detects the beep of an answering machine: one steady tone of 400 to 2000 Hz for at least 150 ms. Dual tones, speech and
 * music are not steady or not a single tone. Takes about 2 microseconds a frame.
 */
import { rmsDbfs, tonePurity } from '@parley/audio';

const LOWEST_HZ = 400;
const HIGHEST_HZ = 2000;
/** 160 ms of 20 ms frames. */
const FRAMES_TO_COUNT = 8;
/** The minimum share of energy at one frequency. */
const PURE = 0.9;
/** How far the frequency may change from frame to frame. */
const STEADY = 0.02;
const FAINTEST_DBFS = -40;

/** Listens to one call, frame by frame. */
export class BeepDetector {
  readonly #sampleRateHz: number;
  #hz = 0;
  #frames = 0;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  /** Takes the next 20 ms. @returns true once for each beep, as soon as it is long enough */
  hear(frame: Int16Array): boolean {
    const hz = rmsDbfs(frame) < FAINTEST_DBFS ? null : this.#toneOf(frame);
    const goesOn = hz !== null && Math.abs(hz - this.#hz) <= STEADY * this.#hz;
    if (hz === null) this.#frames = 0;
    else this.#frames = goesOn ? this.#frames + 1 : 1;
    this.#hz = hz ?? 0;
    return this.#frames === FRAMES_TO_COUNT;
  }

  /** @returns the frequency in hertz if the frame is one tone of the range */
  #toneOf(frame: Int16Array): number | null {
    const hz = frequencyOf(frame, this.#sampleRateHz);
    if (hz < LOWEST_HZ || hz > HIGHEST_HZ) return null;
    return tonePurity(frame, hz, this.#sampleRateHz) >= PURE ? hz : null;
  }
}

/**
 * The frequency of a sine of any phase and amplitude: for each sample, x[n-1] + x[n+1] = 2 cos(w) x[n]; this is the w
 * with the least error. Meaningless for other audio, which has a low purity.
 */
function frequencyOf(frame: Int16Array, sampleRateHz: number): number {
  let products = 0;
  let squares = 0;
  for (let n = 1; n < frame.length - 1; n++) {
    const sample = frame[n] ?? 0;
    products += sample * ((frame[n - 1] ?? 0) + (frame[n + 1] ?? 0));
    squares += sample * sample;
  }
  if (squares === 0) return 0;
  const cosine = Math.max(-1, Math.min(1, products / (2 * squares)));
  return (Math.acos(cosine) * sampleRateHz) / (2 * Math.PI);
}
