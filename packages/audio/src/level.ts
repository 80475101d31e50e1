/** Levels of audio, and gain and mixing with saturation to 16 bits. */

/** The result of {@link rmsDbfs} for digital silence, and its minimum. */
export const SILENCE_DBFS = -100;

const FULL_SCALE = 32_768;

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
