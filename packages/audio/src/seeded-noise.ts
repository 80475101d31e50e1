/** Reproducible noise and random numbers, so that generated sounds are testable and equal on every machine. */

/** Uniformly distributed numbers from 0 (included) to 1 (excluded). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // A step of mulberry32, a public-domain generator.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The pass band of the noise, with slopes of 6 dB per octave. */
export interface NoiseBand {
  aboveHz: number;
  belowHz: number;
  sampleRateHz: number;
}

/** Band-limited noise; about -1 to 1 before the filter. */
export function bandNoise(samples: number, band: NoiseBand, random: () => number): Float32Array {
  const low = 1 - Math.exp((-2 * Math.PI * band.belowHz) / band.sampleRateHz);
  const high = 1 - Math.exp((-2 * Math.PI * band.aboveHz) / band.sampleRateHz);
  let kept = 0;
  let slow = 0;
  return Float32Array.from({ length: samples }, () => {
    kept += low * (2 * random() - 1 - kept);
    slow += high * (kept - slow);
    return kept - slow;
  });
}
