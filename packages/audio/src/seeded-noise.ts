/** Noise and chance that are the same in every run: what is generated can be tested, and sounds alike on every machine. */

/** Numbers from 0 (included) to 1 (excluded), equally likely. */
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

/** What of white noise is let through: two gentle slopes, 6 dB an octave. */
export interface NoiseBand {
  aboveHz: number;
  belowHz: number;
  sampleRateHz: number;
}

/** Noise of a band, about -1 to 1 before the band takes its share. */
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
