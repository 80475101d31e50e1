/**
 * Detects DTMF keys in received audio by their tones (ITU-T Q.24). Speech contains the same frequencies, but next to others:
 * in a key, the two tones carry nearly all of the energy.
 */
import { DTMF_COLUMNS_HZ, DTMF_ROWS_HZ, keyAt } from './dtmf-tones.ts';
import { goertzelPower } from './tone.ts';

/** Detection runs every 10 ms on the latest 20 ms, so that a key of 40 ms fills at least two windows. */
const STEP_MS = 10;
const WINDOW_STEPS = 2;
/** The share of the energy of a window that the two tones must have. */
const MIN_SHARE = 0.9;
/** How much stronger one tone of the pair may be: 10 dB, as a ratio of powers. Q.24 asks receivers for at least 8 dB. */
const MAX_TWIST = 10;
/** How much stronger a tone must be than the others of its group: 6 dB, as a ratio of powers. */
const MIN_LEAD = 4;
/** The mean square below which a window counts as silence: -42 dBm0. */
const MIN_MEAN_SQUARE = 20_000;
/** Consecutive windows in which a key must be present: at least 30 ms of tone; Q.24 asks for keys of 40 ms. */
const MIN_WINDOWS = 2;
/** Windows without the key after which it counts as released. A shorter gap is packet loss. */
const RELEASE_WINDOWS = 3;

/** A key press, reported when the key is released. */
export interface ToneKey {
  digit: string;
  durationMs: number;
}

/** Detects the keys of one stream. */
export class DtmfDetector {
  readonly #sampleRateHz: number;
  readonly #onKey: (key: ToneKey) => void;
  readonly #window: Int16Array;
  readonly #stepSamples: number;
  /** Samples of the current step that have arrived. */
  #filled = 0;
  #candidate = '';
  /** Windows with the candidate, and windows without it since. */
  #present = 0;
  #absent = 0;

  constructor(sampleRateHz: number, onKey: (key: ToneKey) => void) {
    this.#sampleRateHz = sampleRateHz;
    this.#onKey = onKey;
    this.#stepSamples = (sampleRateHz * STEP_MS) / 1000;
    this.#window = new Int16Array(this.#stepSamples * WINDOW_STEPS);
  }

  /** Takes the next samples of the stream, in chunks of any length. */
  hear(samples: Int16Array): void {
    for (let at = 0; at < samples.length;) {
      const taken = samples.subarray(at, at + this.#stepSamples - this.#filled);
      this.#window.set(taken, this.#window.length - this.#stepSamples + this.#filled);
      at += taken.length;
      this.#filled += taken.length;
      if (this.#filled < this.#stepSamples) return;
      this.#follow(keyIn(this.#window, this.#sampleRateHz));
      this.#window.copyWithin(0, this.#stepSamples);
      this.#filled = 0;
    }
  }

  #follow(key: string): void {
    if (key !== '' && key === this.#candidate) {
      this.#present++;
      this.#absent = 0;
    } else if (this.#present < MIN_WINDOWS || ++this.#absent >= RELEASE_WINDOWS) {
      this.#release();
      this.#candidate = key;
      this.#present = key === '' ? 0 : 1;
    }
  }

  #release(): void {
    const durationMs = (this.#present + WINDOW_STEPS - 1) * STEP_MS;
    if (this.#present >= MIN_WINDOWS) this.#onKey({ digit: this.#candidate, durationMs });
    this.#absent = 0;
  }
}

/** The key whose tones fill a window, empty if there is none. */
function keyIn(window: Int16Array, sampleRateHz: number): string {
  let energy = 0;
  for (const sample of window) energy += sample * sample;
  if (energy < MIN_MEAN_SQUARE * window.length) return '';
  const row = strongest(window, DTMF_ROWS_HZ, sampleRateHz);
  const column = strongest(window, DTMF_COLUMNS_HZ, sampleRateHz);
  if (!row || !column) return '';
  const isTwisted = row.power > MAX_TWIST * column.power || column.power > MAX_TWIST * row.power;
  const share = (2 * (row.power + column.power)) / (energy * window.length);
  return isTwisted || share < MIN_SHARE ? '' : keyAt(row.index, column.index);
}

/** The tone that stands out from its group, null if none does. */
function strongest(
  window: Int16Array,
  group: readonly number[],
  sampleRateHz: number,
): { index: number; power: number } | null {
  const powers = group.map((hz) => goertzelPower(window, hz, sampleRateHz));
  const power = Math.max(...powers);
  const index = powers.indexOf(power);
  const isClear = powers.every((other, at) => at === index || other * MIN_LEAD <= power);
  return isClear ? { index, power } : null;
}
