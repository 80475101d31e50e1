import { tone } from '@parley/audio';
import { describe, expect, it } from 'vitest';
import { SpeechEdge } from './speech-edge.ts';

const SAMPLE_RATE_HZ = 8000;
const FRAME_SAMPLES = 160;
const hum = tone({ hz: 440, sampleRateHz: SAMPLE_RATE_HZ, startAt: 0, samples: FRAME_SAMPLES });

/** One second of hum at full level, then what each frame's gain says. */
function heard(gains: readonly number[] = []): SpeechEdge {
  const edge = new SpeechEdge();
  for (const [index, gain] of [...Array.from({ length: 50 }, () => 1), ...gains].entries())
    edge.hear({ index, received: hum.map((sample) => Math.round(sample * gain)) });
  return edge;
}
const silence = Array.from({ length: 30 }, () => 0);

describe('the end of the caller’s sound', () => {
  it.each<[string, readonly number[], number, number]>([
    ['is where it falls silent, however late the detector hears it', silence, 1088, 1000],
    ['a faint echo of it does not count', [0.01, 0.01, ...silence], 1088, 1000],
    ['a soft last syllable does', [0.1, 0.1, ...silence], 1088, 1040],
    ['is never later than the detector says', [1, 1, 1, 1], 1050, 1050],
    ['is the detector’s where there was no sound near it', silence, 1400, 1400],
    ['is the detector’s where nothing was heard yet', [], 5000, 5000],
  ])('%s', (_sentence, gains, detectedMs, expectedMs) => {
    expect(heard(gains).before(detectedMs)).toBe(expectedMs);
  });

  it('is found within a frame, to 5 ms', () => {
    const edge = heard();
    edge.hear({ index: 50, received: hum.map((sample, at) => (at < 50 ? sample : 0)) });
    for (let index = 51; index < 60; index++) edge.hear({ index, received: new Int16Array(FRAME_SAMPLES) });
    expect(edge.before(1088)).toBe(1010);
  });

  it('is remembered for the longest wait, and no longer', () => {
    const soon = heard(Array.from({ length: 265 }, () => 0));
    expect(soon.before(1088)).toBe(1000);
    const late = heard(Array.from({ length: 400 }, () => 0));
    expect(late.before(1088)).toBe(1088);
  });
});
