import { describe, expect, test } from 'vitest';
import { FarClock } from './far-clock.ts';

const FRAME = 160;
const FRAME_MS = 20;

/** Seconds of packets of 20 ms from a clock `ppm` fast; `delayMs` is how late packet n comes. Gives the speed at the end. */
function follow({ ppm = 0, seconds = 60, delayMs = (_n: number) => 0, isSent = (_n: number) => true }) {
  const clock = new FarClock({ sampleRateHz: 8000, frameSamples: FRAME });
  let number = 0;
  const arrivalMs = (n: number): number => (n * FRAME_MS + 7) / (1 + ppm / 1e6) + delayMs(n);
  for (let tick = 0; tick < seconds * 50; tick++) {
    clock.tick(tick * FRAME_MS);
    for (; arrivalMs(number) < (tick + 1) * FRAME_MS; number++)
      if (isSent(number)) clock.arrived(((number + 1) * FRAME + 2 ** 32 - 4000) % 2 ** 32, arrivalMs(number));
  }
  return (clock.speed - 1) * 1e6;
}

describe('the clock of the far end', () => {
  test.each([0, 50, -50, 200, -200, 2000, -2000])(
    'an offset of %i ppm is estimated to 10 ppm after a minute',
    (ppm) => {
      expect(Math.abs(follow({ ppm }) - ppm)).toBeLessThan(10);
    },
  );

  test('is limited to plausible clock differences', () => {
    expect(follow({ ppm: 9000 })).toBeLessThanOrEqual(3000);
  });

  test('is not affected by late packets', () => {
    expect(
      Math.abs(follow({ ppm: 100, delayMs: (n) => (n % 5 === 0 ? 0 : 30 + (n % 7)) }) - 100),
    ).toBeLessThan(10);
  });

  test('is not affected by a longer route', () => {
    expect(Math.abs(follow({ ppm: 100, delayMs: (n) => (n < 1500 ? 0 : 45) }) - 100)).toBeLessThan(10);
  });

  test('is assumed unchanged while no packet arrives', () => {
    expect(Math.abs(follow({ ppm: 100, isSent: (n) => n < 2000 }) - 100)).toBeLessThan(10);
  });
});
