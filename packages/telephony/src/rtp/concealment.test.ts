import { describe, expect, test } from 'vitest';
import { rmsDbfs, tone, tonePurity } from '@parley/audio';
import { Concealment } from './concealment.ts';

const FRAME = 160;

/** Receives `frames` frames of a tone, so that the next one starts at sample `160 * frames`. */
function setup(hz = 150, frames = 5) {
  const concealment = new Concealment(8000);
  const frameOfTone = (index: number): Int16Array =>
    tone({ hz, sampleRateHz: 8000, samples: FRAME, startAt: index * FRAME, amplitude: 8000 });
  for (let i = 0; i < frames; i++) concealment.hear(frameOfTone(i));
  const fill = (): Int16Array => {
    const frame = new Int16Array(FRAME);
    concealment.conceal(frame);
    return frame;
  };
  return { concealment, frameOfTone, fill };
}

/** The largest step between neighbours. */
function steepest(samples: Int16Array): number {
  return samples.reduce(
    (most, sample, i) => (i === 0 ? 0 : Math.max(most, Math.abs(sample - (samples[i - 1] ?? 0)))),
    0,
  );
}

describe('concealment', () => {
  test.each([80, 150, 250, 400])(
    'the first lost frame of a voice at %i Hz goes on with the same pitch',
    (hz) => {
      const { fill, frameOfTone } = setup(hz);
      const filled = fill();
      expect(tonePurity(filled, hz, 8000)).toBeGreaterThan(0.9);
      expect(rmsDbfs(filled)).toBeGreaterThan(rmsDbfs(frameOfTone(5)) - 2);
    },
  );

  test('a longer hole fades out and is silent after 60 ms', () => {
    const { fill } = setup();
    const levels = [fill(), fill(), fill(), fill()].map((frame) => rmsDbfs(frame));
    expect(levels[1]).toBeLessThan(levels[0] ?? 0);
    expect(levels[2]).toBeLessThan(levels[1] ?? 0);
    expect(levels[3]).toBe(-100);
  });

  test('a gap begins and ends without a click', () => {
    const { concealment, fill, frameOfTone } = setup();
    const [first, second, back] = [fill(), fill(), frameOfTone(7)];
    concealment.hear(back);
    const all = Int16Array.from([...frameOfTone(4), ...first, ...second, ...back]);
    expect(steepest(all)).toBeLessThan(3 * steepest(frameOfTone(4)));
  });

  test('of a frame that is there in part, only the rest is made up', () => {
    const { concealment, frameOfTone } = setup();
    const frame = frameOfTone(5);
    const isThere = new Uint8Array(FRAME).fill(1).fill(0, 40, 60);
    frame.fill(0, 40, 60);
    expect(concealment.complete(frame, isThere)).toBe(20);
    expect(frame.subarray(0, 40)).toEqual(frameOfTone(5).subarray(0, 40));
    expect(frame.subarray(92)).toEqual(frameOfTone(5).subarray(92));
    expect(tonePurity(frame, 150, 8000)).toBeGreaterThan(0.9);
  });

  test('a hole that ends a few samples before its frame does is joined over the next one too', () => {
    const { concealment, fill, frameOfTone } = setup();
    const [first, second, back] = [fill(), frameOfTone(6), frameOfTone(7)];
    concealment.complete(second, new Uint8Array(FRAME).fill(1, FRAME - 3));
    concealment.hear(back);
    const all = Int16Array.from([...first, ...second, ...back]);
    expect(steepest(all)).toBeLessThan(3 * steepest(frameOfTone(4)));
    expect(back.subarray(29)).toEqual(frameOfTone(7).subarray(29));
    expect(back.subarray(0, 29)).not.toEqual(frameOfTone(7).subarray(0, 29));
  });

  test('before anything was heard, and after a reset, it makes silence', () => {
    expect(
      setup(150, 0)
        .fill()
        .every((sample) => sample === 0),
    ).toBe(true);
    const { concealment, fill } = setup();
    concealment.reset();
    expect(fill().every((sample) => sample === 0)).toBe(true);
  });

  test('sound without a hole is not touched', () => {
    const { concealment, frameOfTone } = setup();
    const frame = frameOfTone(5);
    concealment.hear(frame);
    expect(frame).toEqual(frameOfTone(5));
  });
});
