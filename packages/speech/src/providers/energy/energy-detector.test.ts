import { describe, expect, it } from 'vitest';
import { tone } from '@parley/audio';
import { describeDetector } from '../../../test/conformance/voice-activity-detector.ts';
import { createEnergyDetector } from './energy-detector.ts';
import { ENERGY_START, ENERGY_WINDOW_SAMPLES, measureEnergy } from './energy-meter.ts';

describeDetector('loudness', async () => ({
  detector: createEnergyDetector(),
  speech: tone({ hz: 300, sampleRateHz: 16_000, samples: 40_000 }),
}));

describe('loudness', () => {
  /** The probability of the last of so many windows of a tone. */
  const listen = (parts: readonly { amplitude: number; windows: number }[]): number => {
    let state = ENERGY_START;
    let last = 0;
    for (const { amplitude, windows } of parts) {
      const window = tone({ hz: 1000, sampleRateHz: 16_000, samples: ENERGY_WINDOW_SAMPLES, amplitude });
      for (let i = 0; i < windows; i++) {
        const result = measureEnergy(state, window);
        state = result.state;
        last = result.probability;
      }
    }
    return last;
  };

  it.each([
    ['silence is no speech', [{ amplitude: 0, windows: 10 }], false],
    [
      'faint hiss after silence is no speech',
      [
        { amplitude: 0, windows: 50 },
        { amplitude: 20, windows: 3 },
      ],
      false,
    ],
    ['speech from the first window on is speech', [{ amplitude: 6000, windows: 5 }], true],
    [
      'speech after a quiet second is speech',
      [
        { amplitude: 30, windows: 30 },
        { amplitude: 3000, windows: 2 },
      ],
      true,
    ],
    ['a steady noise is no speech', [{ amplitude: 300, windows: 200 }], false],
    [
      'speech above a steady noise is speech',
      [
        { amplitude: 300, windows: 200 },
        { amplitude: 6000, windows: 2 },
      ],
      true,
    ],
  ])('%s', (_name, parts, isSpeech) => {
    expect(listen(parts) >= 0.5).toBe(isSpeech);
  });
});
