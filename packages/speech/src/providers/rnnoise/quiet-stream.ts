/**
 * Removes noise from one stream: RNNoise at 48 000 Hz between two resamplers. The constant delay of all three is removed at
 * the beginning and compensated by silence at the end, so that the position in time does not change.
 *
 * @see https://jmvalin.ca/demo/rnnoise/ (library and its small model: BSD)
 */
import { clip, Framer, Resampler } from '@parley/audio';
import type load from '@echogarden/rnnoise-wasm';

type RnnoiseLibrary = Awaited<ReturnType<typeof load>>;

/** The only sample rate that RNNoise supports. */
const RNNOISE_RATE_HZ = 48_000;
/** 10 ms, which is also how much later its output is. */
const RNNOISE_FRAME = 480;
const FLOAT_BYTES = 4;
/** The model inside the library. */
const OWN_MODEL = 0;

/** Holds memory of the library until {@link QuietStream.free}. */
export class QuietStream {
  readonly #library: RnnoiseLibrary;
  readonly #up: Resampler;
  readonly #down: Resampler;
  readonly #framer = new Framer(RNNOISE_FRAME);
  readonly #state: number;
  /** Address of one frame in the library's memory. */
  readonly #frame: number;
  readonly #cleaned = new Int16Array(RNNOISE_FRAME);
  readonly #delaySamples: number;
  /** Samples of the delay that have not been left out yet. */
  #toSkip: number;

  constructor(library: RnnoiseLibrary, sampleRateHz: number) {
    this.#library = library;
    this.#up = new Resampler(sampleRateHz, RNNOISE_RATE_HZ);
    this.#down = new Resampler(RNNOISE_RATE_HZ, sampleRateHz);
    this.#state = library._rnnoise_create(OWN_MODEL);
    this.#frame = library._malloc(RNNOISE_FRAME * FLOAT_BYTES);
    const before = (this.#up.latencySamples + RNNOISE_FRAME) * (sampleRateHz / RNNOISE_RATE_HZ);
    this.#delaySamples = Math.round(before) + this.#down.latencySamples;
    this.#toSkip = this.#delaySamples;
  }

  /** @returns the cleaned audio so far, which is shorter than the input by about the delay */
  clean(samples: Int16Array): Int16Array {
    const pieces: Int16Array[] = [];
    this.#framer.push(this.#up.process(samples), (frame) => pieces.push(this.#cleanFrame(frame)));
    const all = joined(pieces);
    const skipped = Math.min(this.#toSkip, all.length);
    this.#toSkip -= skipped;
    return all.subarray(skipped);
  }

  /** The rest of the sound, maybe with a little silence after it. */
  flush(): Int16Array {
    const frame = RNNOISE_FRAME * (this.#up.fromHz / RNNOISE_RATE_HZ);
    return this.clean(new Int16Array(this.#delaySamples + Math.ceil(frame)));
  }

  free(): void {
    this.#library._rnnoise_destroy(this.#state);
    this.#library._free(this.#frame);
  }

  #cleanFrame(frame: Int16Array): Int16Array {
    const library = this.#library;
    const at = this.#frame / FLOAT_BYTES;
    library.HEAPF32.set(frame, at);
    library._rnnoise_process_frame(this.#state, this.#frame, this.#frame);
    for (let i = 0; i < RNNOISE_FRAME; i++) this.#cleaned[i] = clip(library.HEAPF32[at + i] ?? 0);
    return this.#down.process(this.#cleaned);
  }
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
