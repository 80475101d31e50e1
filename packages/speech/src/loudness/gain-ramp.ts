/** A gain that changes slowly within the sound, for one stream of samples. It adds no delay and never clips. */
import { gainOfDb, limited } from '@parley/audio';

/** The fastest change, decibels in one second: 3 dB in 100 ms. */
const DB_PER_SECOND = 30;

/** Created with the gain of its first sample. */
export class GainRamp {
  readonly #sampleRateHz: number;
  #gainDb: number;

  constructor(options: { sampleRateHz: number; startDb: number }) {
    this.#sampleRateHz = options.sampleRateHz;
    this.#gainDb = options.startDb;
  }

  /** Multiplies in place, moving to this gain. */
  apply(samples: Int16Array, targetDb: number): void {
    const distanceDb = targetDb - this.#gainDb;
    const stepDb = (Math.sign(distanceDb) * DB_PER_SECOND) / this.#sampleRateHz;
    const rampSamples = Math.floor(Math.abs(distanceDb / DB_PER_SECOND) * this.#sampleRateHz);
    const ramped = Math.min(rampSamples, samples.length);
    const step = gainOfDb(stepDb);
    let gain = gainOfDb(this.#gainDb);
    for (let i = 0; i < ramped; i++) {
      gain *= step;
      samples[i] = limited(samples[i] ?? 0, gain);
    }
    this.#gainDb = rampSamples <= samples.length ? targetDb : this.#gainDb + ramped * stepDb;
    gain = gainOfDb(this.#gainDb);
    if (gain === 1) return;
    for (let i = ramped; i < samples.length; i++) samples[i] = limited(samples[i] ?? 0, gain);
  }
}
