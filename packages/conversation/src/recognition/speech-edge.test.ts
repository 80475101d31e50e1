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

  it.each<[string, readonly number[], number, number]>([
    ['follows a closure and a soft sound', [0, 0.02, ...silence], 1000, 1040],
    ['is known where the detector was right', silence, 1000, 1000],
    ['does not follow where sound goes on', [0, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02], 1000, 1000],
    ['does not follow what is as soft as a quiet line', [0, 0.001, ...silence], 1000, 1000],
    ['is not sought before it was heard', [0, 0.02, 0, 0], 1000, 1000],
    ['is the detector’s where nothing was heard yet', [], 5000, 5000],
  ])('with a soft end %s', (_sentence, gains, detectedMs, expectedMs) => {
    expect(heard(gains).withSoftEnd(detectedMs)).toBe(expectedMs);
  });

  it('was received earlier by the delay that the jitter buffer had then', () => {
    const edge = new SpeechEdge();
    const delays = [20, 60, 40];
    for (const [index, receivedAgoMs] of delays.entries()) edge.hear({ index, received: hum, receivedAgoMs });
    expect([20, 25, 40, 60].map((endMs) => edge.arrivalOf(endMs))).toEqual([0, -35, -20, 20]);
  });
});
