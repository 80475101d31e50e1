/**
 * Generates pure tones and measures the share of a tone in audio (Goertzel's algorithm). Tests and the test phones verify
 * received audio with it.
 */

/** The parameters of a sine. */
export interface ToneOptions {
  hz: number;
  sampleRateHz: number;
  /** Number of samples. */
  samples: number;
  /** Amplitude, 0 to 32 767. */
  amplitude?: number;
  /** Index of the first sample, so that consecutive chunks join without a click. */
  startAt?: number;
}

/** Generates a sine. */
export function tone(options: ToneOptions): Int16Array {
  const { hz, sampleRateHz, samples, amplitude = 8000, startAt = 0 } = options;
  const step = (2 * Math.PI * hz) / sampleRateHz;
  return Int16Array.from({ length: samples }, (_, i) =>
    Math.round(amplitude * Math.sin(step * (startAt + i))),
  );
}

/**
 * The amplitude of the sine of `hz` in `samples`, independent of its phase.
 *
 * @returns 0 to 32 768; accurate to a few per cent from about ten periods on
 */
export function toneAmplitude(samples: Int16Array, hz: number, sampleRateHz: number): number {
  if (samples.length === 0) return 0;
  return (2 * Math.sqrt(goertzelPower(samples, hz, sampleRateHz))) / samples.length;
}

/**
 * The share of the energy at `hz`.
 *
 * @returns 0 (none, or silence) to 1 (a pure tone); a clean G.711 tone gives more than 0.99
 */
export function tonePurity(samples: Int16Array, hz: number, sampleRateHz: number): number {
  let energy = 0;
  for (let i = 0; i < samples.length; i++) energy += (samples[i] ?? 0) ** 2;
  if (energy === 0) return 0;
  return Math.min(1, (2 * goertzelPower(samples, hz, sampleRateHz)) / (energy * samples.length));
}

/** The squared magnitude of the discrete Fourier transform at any frequency. */
export function goertzelPower(samples: Int16Array, hz: number, sampleRateHz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / sampleRateHz);
  let previous = 0;
  let beforePrevious = 0;
  for (let i = 0; i < samples.length; i++) {
    const current = (samples[i] ?? 0) + coefficient * previous - beforePrevious;
    beforePrevious = previous;
    previous = current;
  }
  return previous ** 2 + beforePrevious ** 2 - coefficient * previous * beforePrevious;
}
