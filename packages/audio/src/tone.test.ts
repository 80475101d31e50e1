import { describe, expect, test } from 'vitest';
import { mixInto } from './level.ts';
import { tone, toneAmplitude, tonePurity } from './tone.ts';

const RATE = 8000;

describe('tone', () => {
  test('a generated tone is pure at its own frequency and absent at another', () => {
    const samples = tone({ hz: 440, sampleRateHz: RATE, samples: RATE });
    expect(tonePurity(samples, 440, RATE)).toBeGreaterThan(0.999);
    expect(tonePurity(samples, 1000, RATE)).toBeLessThan(0.001);
  });

  test('of two equally loud tones each has half of the energy and its own amplitude', () => {
    const samples = tone({ hz: 440, sampleRateHz: RATE, samples: RATE, amplitude: 5000 });
    mixInto(samples, tone({ hz: 1000, sampleRateHz: RATE, samples: RATE, amplitude: 5000 }));
    expect(tonePurity(samples, 440, RATE)).toBeCloseTo(0.5, 2);
    expect(tonePurity(samples, 1000, RATE)).toBeCloseTo(0.5, 2);
    expect(toneAmplitude(samples, 1000, RATE)).toBeCloseTo(5000, -1);
  });

  test('silence and empty input contain no tone', () => {
    expect(tonePurity(new Int16Array(160), 440, RATE)).toBe(0);
    expect(toneAmplitude(new Int16Array(0), 440, RATE)).toBe(0);
  });

  test('consecutive chunks join without a click', () => {
    const whole = tone({ hz: 333, sampleRateHz: RATE, samples: 400 });
    const second = tone({ hz: 333, sampleRateHz: RATE, samples: 300, startAt: 100 });
    expect([...whole.subarray(100)]).toEqual([...second]);
  });
});
