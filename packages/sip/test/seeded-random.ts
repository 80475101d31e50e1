/**
 * Randomness that repeats: the mulberry32 generator from a printed seed.
 */
import type { RandomSource } from '../src/message/random.ts';

/** Numbers from 0 up to, not including, 1. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same as bytes, for an agent. */
export function seededRandom(seed: number): RandomSource {
  const next = seededNumbers(seed);
  return (byteCount) => Uint8Array.from({ length: byteCount }, () => Math.floor(next() * 256));
}
