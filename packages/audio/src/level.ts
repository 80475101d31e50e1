/** Levels of audio, and gain and mixing with saturation to 16 bits. */

/** The result of {@link rmsDbfs} for digital silence, and its minimum. */
export const SILENCE_DBFS = -100;

const FULL_SCALE = 32_768;
/** Amplified samples above this are compressed: -6 dBFS. */
const KNEE = FULL_SCALE / 2;
/** The active level of all voices: docs/decisions/loudness.md. */
export const SPEECH_DBFS = -20;

/**
 * Root mean square level.
 *
 * @returns decibels relative to full scale: 0 for a full-scale square wave, -3 for a full-scale sine, {@link SILENCE_DBFS}
 *   for silence
 */
export function rmsDbfs(samples: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < samples.length; i++) sum += (samples[i] ?? 0) ** 2;
  if (sum === 0) return SILENCE_DBFS;
  return Math.max(SILENCE_DBFS, 10 * Math.log10(sum / samples.length / FULL_SCALE ** 2));
}

/** The largest magnitude, 0 to 32 768. */
export function peak(samples: Int16Array): number {
  let largest = 0;
  for (let i = 0; i < samples.length; i++) largest = Math.max(largest, Math.abs(samples[i] ?? 0));
  return largest;
}

/** The factor that changes a level by that many decibels. */
export function gainOfDb(decibels: number): number {
  return 10 ** (decibels / 20);
}

/** Multiplies in place, with clipping. */
export function applyGain(samples: Int16Array, gain: number): void {
  for (let i = 0; i < samples.length; i++) samples[i] = clip((samples[i] ?? 0) * gain);
}

/**
 * Adds `source` times `gain` to `target` in place, with clipping, over the length of the shorter one.
 */
export function mixInto(target: Int16Array, source: Int16Array, gain = 1): void {
  const length = Math.min(target.length, source.length);
  for (let i = 0; i < length; i++) target[i] = clip((target[i] ?? 0) + (source[i] ?? 0) * gain);
}

/** Rounds to the nearest 16-bit sample, with clipping. */
export function clip(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)));
}

/**
 * A sample times the gain. Results above the knee are compressed so that a full-scale sample stays at full scale: the curve
 * has no corner at the knee, and at a gain of 1 it is a straight line.
 */
export function limited(sample: number, gain: number): number {
  const amplified = sample * gain;
  const excess = Math.abs(amplified) - KNEE;
  if (gain <= 1 || excess <= 0) return clip(amplified);
  const curvature = 1 / (FULL_SCALE - KNEE) - 1 / (FULL_SCALE * gain - KNEE);
  return clip(Math.sign(amplified) * (KNEE + excess / (1 + excess * curvature)));
}

/** Amplifies in place by a constant gain; peaks are compressed as by {@link limited}. */
export function amplify(samples: Int16Array, gainDb: number): void {
  const gain = gainOfDb(gainDb);
  for (let i = 0; i < samples.length; i++) samples[i] = limited(samples[i] ?? 0, gain);
}
