import { describe, expect, it } from 'vitest';
import { Resampler } from './resampler.ts';

/** One second of a tone, mono. */
function tone(frequencyHz: number, rateHz: number): Float32Array {
  return Float32Array.from({ length: rateHz }, (_, index) =>
    Math.sin((2 * Math.PI * frequencyHz * index) / rateHz),
  );
}

/** Amplitude of a frequency in a signal (a single bin of the Fourier transform). */
function amplitude(signal: Float32Array, frequencyHz: number, rateHz: number): number {
  let real = 0;
  let imaginary = 0;
  signal.forEach((sample, index) => {
    const angle = (2 * Math.PI * frequencyHz * index) / rateHz;
    real += sample * Math.cos(angle);
    imaginary += sample * Math.sin(angle);
  });
  return (2 * Math.hypot(real, imaginary)) / signal.length;
}

function rms(signal: Float32Array): number {
  return Math.sqrt(signal.reduce((sum, sample) => sum + sample * sample, 0) / signal.length);
}

/** Sends a signal through in blocks, and leaves the edges out. */
function resample(signal: Float32Array, fromHz: number, toHz: number, block = 128): Float32Array {
  const resampler = new Resampler(fromHz, toHz);
  const output = new Float32Array(resampler.maxOutput(signal.length) + 1_000);
  let written = 0;
  for (let at = 0; at < signal.length; at += block) {
    const part = new Float32Array(resampler.maxOutput(block));
    const count = resampler.process(signal.subarray(at, at + block), part);
    output.set(part.subarray(0, count), written);
    written += count;
  }
  return output.slice(400, written - 400);
}

describe('changing the rate of a stream', () => {
  it.each([
    [48_000, 16_000],
    [44_100, 16_000],
    [16_000, 48_000],
    [16_000, 44_100],
  ])('from %i to %i Hz keeps a tone of speech as loud as it was', (fromHz, toHz) => {
    for (const frequencyHz of [300, 1_000, 3_400, 6_000]) {
      const output = resample(tone(frequencyHz, fromHz), fromHz, toHz);
      expect(amplitude(output, frequencyHz, toHz)).toBeGreaterThan(0.97);
      expect(amplitude(output, frequencyHz, toHz)).toBeLessThan(1.03);
    }
  });

  it.each([48_000, 44_100])('from %i Hz down leaves nothing of a tone above the new half rate', (fromHz) => {
    expect(rms(resample(tone(11_000, fromHz), fromHz, 16_000))).toBeLessThan(0.003);
  });

  it('upwards adds no tones', () => {
    const output = resample(tone(1_000, 16_000), 16_000, 48_000);
    expect(amplitude(output, 15_000, 48_000)).toBeLessThan(0.003);
    expect(amplitude(output, 17_000, 48_000)).toBeLessThan(0.003);
  });

  it('makes as many samples as the rates ask for', () => {
    const second = resample(tone(440, 48_000), 48_000, 16_000);
    expect(Math.abs(second.length + 800 - 16_000)).toBeLessThan(60);
  });

  it('does not depend on how the stream is cut into blocks', () => {
    const signal = tone(700, 44_100);
    const inBlocks = resample(signal, 44_100, 16_000, 128);
    const atOnce = resample(signal, 44_100, 16_000, signal.length);
    expect(inBlocks.length).toBe(atOnce.length);
    expect(
      Math.max(...inBlocks.map((sample, index) => Math.abs(sample - (atOnce[index] ?? 0)))),
    ).toBeLessThan(1e-4);
  });

  it('between equal rates changes nothing', () => {
    const signal = tone(440, 16_000);
    expect(resample(signal, 16_000, 16_000)).toEqual(signal.slice(400, -400));
  });
});
