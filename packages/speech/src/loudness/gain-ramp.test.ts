import { gainOfDb, peak, rmsDbfs, tone } from '@parley/audio';
import { expect, it } from 'vitest';
import { GainRamp } from './gain-ramp.ts';

const RATE = 8000;

it('the gain moves by 3 dB in 100 ms and then stays', () => {
  const samples = new Int16Array(RATE).fill(1000);
  new GainRamp({ sampleRateHz: RATE, startDb: 0 }).apply(samples, 6);
  expect(samples[0]).toBe(1000);
  expect(samples[799]).toBe(Math.round(1000 * gainOfDb(3)));
  expect(samples[1600]).toBe(Math.round(1000 * gainOfDb(6)));
  expect(samples[7999]).toBe(Math.round(1000 * gainOfDb(6)));
});

it('pieces of any length give the same as one piece', () => {
  const whole = tone({ hz: 300, sampleRateHz: RATE, samples: RATE });
  const inPieces = whole.slice();
  new GainRamp({ sampleRateHz: RATE, startDb: -4 }).apply(whole, 7);
  const ramp = new GainRamp({ sampleRateHz: RATE, startDb: -4 });
  for (let at = 0; at < RATE; at += 37) ramp.apply(inPieces.subarray(at, at + 37), 7);
  const differences = whole.map((sample, at) => sample - (inPieces[at] ?? 0));
  expect(peak(differences)).toBeLessThanOrEqual(1);
});

it('there is no click: no step between samples is larger than the louder tone has', () => {
  const samples = tone({ hz: 300, sampleRateHz: RATE, samples: RATE, amplitude: 3000 });
  const ramp = new GainRamp({ sampleRateHz: RATE, startDb: 0 });
  for (const [index, targetDb] of [12, -12, 3, 12, 0].entries())
    ramp.apply(samples.subarray(index * 1600, (index + 1) * 1600), targetDb);
  const steps = samples.map((sample, at) => sample - (samples[at - 1] ?? 0));
  const steepest = 3000 * gainOfDb(12) * ((2 * Math.PI * 300) / RATE);
  expect(peak(steps)).toBeLessThan(steepest);
});

it('an amplified peak is compressed to full scale without clipping', () => {
  const samples = Int16Array.of(32_767, -32_768, 16_384, -16_384, 1000);
  new GainRamp({ sampleRateHz: RATE, startDb: 12 }).apply(samples, 12);
  expect(samples[0]).toBe(32_767);
  expect(samples[1]).toBe(-32_768);
  expect(samples[2]).toBeLessThan(32_000);
  expect(samples[3]).toBe(-(samples[2] ?? 0));
  expect(samples[4]).toBe(Math.round(1000 * gainOfDb(12)));
});

it('larger samples stay larger, so that peaks have no flat tops', () => {
  const rising = Int16Array.from({ length: 328 }, (_, at) => at * 99);
  new GainRamp({ sampleRateHz: RATE, startDb: 12 }).apply(rising, 12);
  for (let at = 1; at < rising.length; at++) expect(rising[at]).toBeGreaterThan(rising[at - 1] ?? 0);
});

it('a gain of 0 dB changes nothing, not even peaks', () => {
  const loud = tone({ hz: 300, sampleRateHz: RATE, samples: RATE, amplitude: 32_767 });
  const before = loud.slice();
  new GainRamp({ sampleRateHz: RATE, startDb: 0 }).apply(loud, 0);
  expect(loud).toEqual(before);
  expect(rmsDbfs(loud)).toBeCloseTo(-3, 1);
});
