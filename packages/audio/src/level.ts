/** How loud a stretch of sound is, and how to change or add sounds without wrapping around at the ends of 16 bits. */

/** What {@link rmsDbfs} gives for digital silence, and its floor. */
export const SILENCE_DBFS = -100;

const FULL_SCALE = 32_768;

/**
 * Root mean square level.
 *
 * @returns decibels relative to full scale: 0 is a square wave of full height, -3 a full sine, {@link SILENCE_DBFS} silence
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

/** The factor that changes a level by so many decibels. */
export function gainOfDb(decibels: number): number {
  return 10 ** (decibels / 20);
}

/** Multiplies in place; what does not fit is clipped. */
export function applyGain(samples: Int16Array, gain: number): void {
  for (let i = 0; i < samples.length; i++) samples[i] = clip((samples[i] ?? 0) * gain);
}

/**
 * Adds `source` times `gain` to `target`, in place; what does not fit is clipped. The shorter one sets the length.
 */
export function mixInto(target: Int16Array, source: Int16Array, gain = 1): void {
  const length = Math.min(target.length, source.length);
  for (let i = 0; i < length; i++) target[i] = clip((target[i] ?? 0) + (source[i] ?? 0) * gain);
}

/** Rounds to the nearest 16-bit sample. */
export function clip(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)));
}
