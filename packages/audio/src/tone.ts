/**
 * Making pure tones, and finding out how much of a sound is one tone (Goertzel's algorithm): the way tests and the test
 * phones verify that the right sound arrived.
 */

/** A sine to be made. */
export interface ToneOptions {
  hz: number;
  sampleRateHz: number;
  /** How many samples. */
  samples: number;
  /** Height of the sine, 0 to 32 767. */
  amplitude?: number;
  /** Index of the first sample, so that consecutive pieces join without a click. */
  startAt?: number;
}

/** Makes a sine. */
export function tone(options: ToneOptions): Int16Array {
  const { hz, sampleRateHz, samples, amplitude = 8000, startAt = 0 } = options;
  const step = (2 * Math.PI * hz) / sampleRateHz;
  return Int16Array.from({ length: samples }, (_, i) =>
    Math.round(amplitude * Math.sin(step * (startAt + i))),
  );
}

/**
 * The height of the sine of `hz` that `samples` hold, whatever its phase.
 *
 * @returns 0 to 32 768; accurate to a few per cent from about ten periods on
 */
export function toneAmplitude(samples: Int16Array, hz: number, sampleRateHz: number): number {
  if (samples.length === 0) return 0;
  return (2 * Math.sqrt(goertzelPower(samples, hz, sampleRateHz))) / samples.length;
}

/**
 * The share of the sound's energy that lies at `hz`.
 *
 * @returns 0 (none, or silence) to 1 (a pure tone); a clean G.711 tone gives more than 0.99
 */
export function tonePurity(samples: Int16Array, hz: number, sampleRateHz: number): number {
  let energy = 0;
  for (let i = 0; i < samples.length; i++) energy += (samples[i] ?? 0) ** 2;
  if (energy === 0) return 0;
  return Math.min(1, (2 * goertzelPower(samples, hz, sampleRateHz)) / (energy * samples.length));
}

/** |X(hz)| squared of the discrete Fourier transform, at any frequency. */
function goertzelPower(samples: Int16Array, hz: number, sampleRateHz: number): number {
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
