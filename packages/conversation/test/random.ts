/** Chance that repeats itself: the same seed gives the same stream on every machine. */

export interface Chance {
  /** 0 up to 1. */
  next(): number;
  /** A whole number from 0 to `below` - 1. */
  whole(below: number): number;
  /** True with that probability. */
  isHit(probability: number): boolean;
}

/** Mulberry32, after Tommy Ettinger's public-domain generator. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, whole: (below) => Math.floor(next() * below), isHit: (probability) => next() < probability };
}
