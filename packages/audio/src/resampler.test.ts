import { describe, expect, test } from 'vitest';
import { rmsDbfs } from './level.ts';
import { Resampler, resample } from './resampler.ts';
import { tone, toneAmplitude, tonePurity } from './tone.ts';

/** Every pair of rates the product meets: telephone, wideband, Flite, browser. */
const PAIRS = [
  [8000, 16_000],
  [16_000, 8000],
  [24_000, 8000],
  [24_000, 16_000],
  [22_050, 8000],
  [22_050, 16_000],
  [48_000, 16_000],
  [48_000, 8000],
  [8000, 48_000],
  [8000, 24_000],
  [44_100, 16_000],
] as const;

describe.each(PAIRS)('%i to %i Hz', (fromHz, toHz) => {
  test.each([300, 1000, 3000])('a tone of %i Hz keeps its purity and amplitude', (hz) => {
    const output = resample(
      tone({ hz, sampleRateHz: fromHz, samples: fromHz, amplitude: 10_000 }),
      fromHz,
      toHz,
    );
    const steady = output.subarray(toHz / 10, toHz - toHz / 10);
    expect(tonePurity(steady, hz, toHz)).toBeGreaterThan(0.9999);
    expect(toneAmplitude(steady, hz, toHz)).toBeGreaterThan(9900);
    expect(toneAmplitude(steady, hz, toHz)).toBeLessThan(10_100);
  });

  test('chunks of any length give exactly the same as the whole', () => {
    const input = tone({ hz: 700, sampleRateHz: fromHz, samples: fromHz / 2 });
    const whole = new Resampler(fromHz, toHz).process(input);
    const resampler = new Resampler(fromHz, toHz);
    const pieces: number[] = [];
    for (let at = 0, step = 1; at < input.length; at += step, step = ((step * 7) % 900) + 1) {
      pieces.push(...resampler.process(input.subarray(at, at + step)));
    }
    expect(Int16Array.from(pieces)).toEqual(whole);
  });

  test('a second in is a second out, and frames of 20 ms stay frames of 20 ms', () => {
    expect(resample(new Int16Array(fromHz), fromHz, toHz)).toHaveLength(toHz);
    const resampler = new Resampler(fromHz, toHz);
    const lengths = Array.from({ length: 50 }, () => resampler.process(new Int16Array(fromHz / 50)).length);
    expect(new Set(lengths)).toEqual(new Set([toHz / 50]));
  });

  test('the output has no delay', () => {
    const input = new Int16Array(fromHz / 10);
    input.fill(10_000, fromHz / 20);
    const output = resample(input, fromHz, toHz);
    const start = output.findIndex((sample) => sample >= 5000);
    // The edge lies half an input sample before the first high one.
    expect(Math.abs(start - toHz / 20)).toBeLessThanOrEqual(1 + toHz / fromHz / 2);
  });
});

test.each([
  [16_000, 8000, 6000],
  [24_000, 8000, 5000],
  [48_000, 8000, 10_000],
  [48_000, 16_000, 9000],
])('from %i to %i Hz, frequencies above the band are not aliased (%i Hz)', (fromHz, toHz, hz) => {
  const output = resample(
    tone({ hz, sampleRateHz: fromHz, samples: fromHz, amplitude: 30_000 }),
    fromHz,
    toHz,
  );
  expect(rmsDbfs(output.subarray(toHz / 10, toHz - toHz / 10))).toBeLessThan(-70);
});

test('upsampling adds no image frequencies', () => {
  const output = resample(
    tone({ hz: 3000, sampleRateHz: 8000, samples: 8000, amplitude: 20_000 }),
    8000,
    16_000,
  );
  expect(toneAmplitude(output.subarray(1600, 14_400), 5000, 16_000)).toBeLessThan(10);
});

test('full-scale audio is clipped, not wrapped around', () => {
  const input = Int16Array.from({ length: 800 }, (_, i) => (i % 80 < 40 ? 32_767 : -32_768));
  const output = resample(input, 8000, 16_000);
  // Between the edges of this square wave nothing may change its sign.
  expect(output.subarray(180, 230).every((sample) => sample > 20_000)).toBe(true);
});

test('after a reset nothing of the old audio is left', () => {
  const resampler = new Resampler(8000, 16_000);
  resampler.process(tone({ hz: 500, sampleRateHz: 8000, samples: 160 }));
  resampler.reset();
  expect(resampler.process(new Int16Array(160)).every((sample) => sample === 0)).toBe(true);
});

test('equal rates give the very same samples', () => {
  const input = Int16Array.of(1, 2, 3);
  expect(resample(input, 8000, 8000)).toBe(input);
});
