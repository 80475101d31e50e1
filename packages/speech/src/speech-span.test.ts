import { describe, expect, it } from 'vitest';
import { tone } from '@parley/audio';
import { speechSpan } from './speech-span.ts';

/** A second of each amplitude, at 16 000 Hz. */
const sound = (...amplitudes: number[]): Int16Array =>
  Int16Array.from(
    amplitudes.flatMap((amplitude) => [
      ...tone({ hz: 400, sampleRateHz: 16_000, samples: 16_000, amplitude }),
    ]),
  );

describe('the span of speech', () => {
  it.each([
    ['keeps the margin on both sides', sound(20, 20, 5000, 20, 20), 1.4],
    ['is all of it when all is loud', sound(5000, 4000), 2],
    ['is nothing on a silent line', sound(20, 20), 0],
    ['holds quiet ends of words', sound(0, 5000, 400, 0), 2.4],
  ])('%s', (_name, samples, seconds) => {
    expect(speechSpan(samples, 200).length / 16_000).toBeCloseTo(seconds, 1);
  });

  it.each([
    ['begins at the onset, without the noise before it', sound(9000, 20, 5000, 20), 1.4],
    ['leaves out a voice in the background', sound(500, 500, 5000, 20), 1.4],
    ['keeps what passes into the speech without a pause', sound(20, 2000, 5000, 20), 2.4],
  ])('%s', (_name, samples, seconds) => {
    expect(speechSpan(samples, 200, 2 * 16_000).length / 16_000).toBeCloseTo(seconds, 1);
  });
});
