import { describe, expect, it } from 'vitest';
import { JitterBuffer } from './jitter-buffer.ts';
import { FRAME_SAMPLES } from './talk-wire.ts';

/** A buffer, with frames of one value; 20 ms of output are named by their value. */
function setup() {
  const buffer = new JitterBuffer();
  const push = (value: number): void => buffer.push(new Int16Array(FRAME_SAMPLES).fill(value));
  const pull = (): number => {
    const block = new Int16Array(FRAME_SAMPLES);
    buffer.pull(block);
    return block[0] ?? 0;
  };
  return { buffer, push, pull };
}

const LOUD = 8_000;

describe('the jitter buffer', () => {
  it('starts after 40 ms of audio', () => {
    const { push, pull } = setup();
    push(LOUD);
    expect(pull()).toBe(0);
    push(LOUD + 1);
    expect([pull(), pull()]).toEqual([LOUD, LOUD + 1]);
  });

  it('plays silence when it is empty, and buffers again before it continues', () => {
    const { push, pull } = setup();
    push(1_000);
    push(2_000);
    expect([pull(), pull(), pull()]).toEqual([1_000, 2_000, 0]);
    push(3_000);
    expect(pull()).toBe(0);
    push(4_000);
    expect([pull(), pull()]).toEqual([3_000, 4_000]);
  });

  it('plays the tail of an utterance although it is shorter than a start', () => {
    const { push, pull } = setup();
    push(LOUD);
    expect([pull(), pull(), pull(), pull(), pull()]).toEqual([0, 0, 0, LOUD, 0]);
  });

  it('drops everything when the caller interrupts', () => {
    const { buffer, push, pull } = setup();
    for (let count = 0; count < 5; count += 1) push(LOUD);
    expect(pull()).toBe(LOUD);
    buffer.clear();
    expect(buffer.waitingSamples).toBe(0);
    expect(pull()).toBe(0);
  });

  it('does not stay late after a burst: silence is left out until it has caught up', () => {
    const { buffer, push, pull } = setup();
    for (let count = 0; count < 20; count += 1) push(LOUD);
    for (let count = 0; count < 30; count += 1) {
      push(0);
      pull();
    }
    expect(buffer.waitingSamples).toBeLessThanOrEqual(0.18 * 16_000);
  });

  it('never leaves sound out while it is late', () => {
    const { push, pull } = setup();
    for (let count = 1; count <= 40; count += 1) push(LOUD + count);
    const heard = Array.from({ length: 40 }, pull);
    expect(heard).toEqual(Array.from({ length: 40 }, (_, index) => LOUD + index + 1));
  });

  it('drops the oldest audio instead of growing without limit', () => {
    const { buffer, push, pull } = setup();
    for (let count = 0; count < 1_000; count += 1) push(LOUD + count);
    expect(buffer.waitingSamples).toBe(4 * 16_000);
    expect(pull()).toBe(LOUD + 800);
  });
});
