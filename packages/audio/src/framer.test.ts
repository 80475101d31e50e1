import { expect, test } from 'vitest';
import { Framer } from './framer.ts';

function setup() {
  const frames: number[][] = [];
  const framer = new Framer(4);
  const keep = (frame: Int16Array): void => void frames.push([...frame]);
  return {
    framer,
    frames,
    push: (...samples: number[]) => framer.push(Int16Array.from(samples), keep),
    flush: () => framer.flush(keep),
  };
}

test('short chunks wait until a frame is full', () => {
  const { framer, frames, push } = setup();
  push(1, 2, 3);
  expect(frames).toEqual([]);
  push(4, 5);
  expect(frames).toEqual([[1, 2, 3, 4]]);
  expect(framer.pendingSamples).toBe(1);
});

test('a long chunk gives several frames', () => {
  const { frames, push } = setup();
  push(1, 2, 3, 4, 5, 6, 7, 8, 9);
  expect(frames).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7, 8],
  ]);
});

test('flushing fills the last frame with silence, once', () => {
  const { frames, push, flush } = setup();
  push(1, 2, 3, 4, 9);
  flush();
  flush();
  expect(frames).toEqual([
    [1, 2, 3, 4],
    [9, 0, 0, 0],
  ]);
});
