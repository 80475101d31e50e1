import { describe, expect, test } from 'vitest';
import { applyGain, clip, gainOfDb, mixInto, peak, rmsDbfs, SILENCE_DBFS } from './level.ts';
import { tone } from './tone.ts';

describe('level', () => {
  test('a full square wave has 0 dBFS and a full sine 3 dB less', () => {
    expect(rmsDbfs(Int16Array.of(32_767, -32_768, 32_767, -32_768))).toBeCloseTo(0, 3);
    expect(rmsDbfs(tone({ hz: 1000, sampleRateHz: 8000, samples: 8000, amplitude: 32_767 }))).toBeCloseTo(
      -3.01,
      2,
    );
  });

  test('silence and empty input have the minimum level, not minus infinity', () => {
    expect(rmsDbfs(new Int16Array(160))).toBe(SILENCE_DBFS);
    expect(rmsDbfs(new Int16Array(0))).toBe(SILENCE_DBFS);
  });

  test('the peak of the most negative sample is 32 768', () => {
    expect(peak(Int16Array.of(3, -32_768, 32_767))).toBe(32_768);
  });

  test('a gain of -6.02 dB halves and +6.02 dB doubles, clipping what does not fit', () => {
    const samples = Int16Array.of(1000, -1000, 30_000, -30_000);
    applyGain(samples, gainOfDb(-6.0206));
    expect([...samples]).toEqual([500, -500, 15_000, -15_000]);
    applyGain(samples, 4);
    expect([...samples]).toEqual([2000, -2000, 32_767, -32_768]);
  });

  test('mixing adds, clips, and leaves samples beyond the shorter input', () => {
    const target = Int16Array.of(100, 32_000, -32_000, 7);
    mixInto(target, Int16Array.of(50, 2000, -2000), 0.5);
    expect([...target]).toEqual([125, 32_767, -32_768, 7]);
  });

  test('clipping rounds to the nearest sample', () => {
    expect([clip(1.6), clip(-1.6), clip(99_999), clip(-99_999)]).toEqual([2, -2, 32_767, -32_768]);
  });
});
