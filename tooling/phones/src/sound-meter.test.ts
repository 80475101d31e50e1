import { expect, test } from 'vitest';
import { tone } from '@parley/audio';
import { SoundMeter } from './sound-meter.ts';

test('a second of tone in silence is measured by length, level and frequency', () => {
  const meter = new SoundMeter(8000);
  meter.hear(new Int16Array(8000));
  const sound = tone({ hz: 1000, sampleRateHz: 8000, samples: 8000, amplitude: 16_384 });
  for (let at = 0; at < sound.length; at += 160) meter.hear(sound.subarray(at, at + 160));
  meter.hear(new Int16Array(8000));
  expect(meter.summary()).toEqual({ loudMs: 1000, levelDbfs: -9, tonesMs: { '1000': 1000 } });
});

test('a call without audio has the level of silence', () => {
  expect(new SoundMeter(8000).summary()).toEqual({ loudMs: 0, levelDbfs: -100, tonesMs: {} });
});
