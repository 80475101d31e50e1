/**
 * Reproducible random numbers from 0 to 1, derived from a text and a seed (FNV-1a, then mulberry32).
 */

/** A generator of numbers from 0 (included) to 1 (excluded). */
export function seededRandom(text: string, seed: number): () => number {
  let state = hash(`${seed}:${text}`);
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01_00_01_93);
  return value;
}
