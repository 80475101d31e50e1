import { describe, expect, test } from 'vitest';
import { ActiveLevel } from './active-level.ts';
import { gainOfDb } from './level.ts';
import { bandNoise, seededRandom } from './seeded-noise.ts';
import { tone } from './tone.ts';

const RATE = 8000;
const FRAME = 160;
/** The amplitude of a sine of 0 dBFS, which would clip; only fractions of it are used. */
const FULL_SINE = 32_768 * Math.SQRT2;

/** One second of a tone. */
const voiced = (dbfs: number): Int16Array =>
  tone({ hz: 400, sampleRateHz: RATE, samples: RATE, amplitude: FULL_SINE * gainOfDb(dbfs) });

function levelOf(...sounds: readonly Int16Array[]) {
  const level = new ActiveLevel();
  for (const sound of sounds)
    for (let at = 0; at < sound.length; at += FRAME) level.add(sound.subarray(at, at + FRAME));
  return level.measure();
}

describe('active level', () => {
  test('a steady sound has its own level', () => {
    expect(levelOf(voiced(-20)).dbfs).toBeCloseTo(-20, 1);
    expect(levelOf(voiced(-33)).dbfs).toBeCloseTo(-33, 1);
    expect(levelOf(voiced(-20)).activeMs).toBe(1000);
  });

  test('a full-scale square wave has 0 dBFS', () => {
    expect(levelOf(new Int16Array(RATE).fill(-32_768)).dbfs).toBeCloseTo(0, 3);
  });

  test('pauses do not count, whatever their length and place', () => {
    const pause = new Int16Array(5 * RATE);
    const result = levelOf(pause, voiced(-20), pause, voiced(-20), pause);
    expect(result.dbfs).toBeCloseTo(-20, 1);
    expect(result.activeMs).toBe(2000);
  });

  test('noise more than 16 dB below the level does not count, even before the speech', () => {
    const noise = bandNoise(RATE, { aboveHz: 100, belowHz: 3000, sampleRateHz: RATE }, seededRandom(1));
    const faint = Int16Array.from(noise, (sample) => sample * 900);
    expect(levelOf(faint).dbfs).toBeGreaterThan(-40);
    expect(levelOf(faint, voiced(-10))).toEqual(levelOf(voiced(-10)));
  });

  test('weak parts of speech within the margin count', () => {
    const mean = 10 * Math.log10((10 ** -2 + 10 ** -3) / 2);
    expect(levelOf(voiced(-20), voiced(-30)).dbfs).toBeCloseTo(mean, 1);
  });

  test('a single loud frame does not hide the speech', () => {
    const result = levelOf(
      new Int16Array(FRAME).fill(32_767),
      ...Array.from({ length: 10 }, () => voiced(-25)),
    );
    expect(result.activeMs).toBe(10_020);
    expect(result.dbfs).toBeLessThan(-22);
  });

  test('silence and sound below -40 dBFS have no level', () => {
    expect(levelOf()).toEqual({ dbfs: null, activeMs: 0 });
    expect(levelOf(new Int16Array(RATE))).toEqual({ dbfs: null, activeMs: 0 });
    expect(levelOf(voiced(-41))).toEqual({ dbfs: null, activeMs: 0 });
  });

  test('a voice that changes is measured anew within a few minutes', () => {
    const minutes = (count: number, dbfs: number) => Array.from({ length: 60 * count }, () => voiced(dbfs));
    const { dbfs, activeMs } = levelOf(...minutes(3, -15), ...minutes(5, -25));
    expect(dbfs).toBeCloseTo(-25, 0);
    expect(activeMs).toBeLessThanOrEqual(60_000);
  });
});
