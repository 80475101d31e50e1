import { describe, expect, test } from 'vitest';
import { PlayoutQueue } from './playout-queue.ts';

/** Frames of four samples, shown as "turn/samples: content, queued". */
function setup() {
  const queue = new PlayoutQueue();
  const frame = new Int16Array(4);
  const take = (): string => {
    const { turn, samples } = queue.takeInto(frame);
    return `${turn}/${samples}: ${frame.join(' ')}, ${queue.queuedSamples}`;
  };
  return { queue, take };
}

describe('playout queue', () => {
  test('an empty queue gives silence of turn 0', () => {
    expect(setup().take()).toBe('0/0: 0 0 0 0, 0');
  });

  test('pieces of one turn join without a gap, whatever their length', () => {
    const { queue, take } = setup();
    queue.push(1, Int16Array.of(1));
    queue.push(1, Int16Array.of(2, 3, 4, 5, 6));
    queue.push(1, Int16Array.of());
    queue.push(1, Int16Array.of(7, 8, 9));
    expect([take(), take(), take()]).toEqual(['1/4: 1 2 3 4, 5', '1/4: 5 6 7 8, 1', '1/1: 9 0 0 0, 0']);
  });

  test('a turn that ends in mid-frame is followed by silence, and the next turn starts a frame', () => {
    const { queue, take } = setup();
    queue.push(1, Int16Array.of(1, 2, 3, 4, 5));
    queue.push(2, Int16Array.of(6, 7, 8, 9));
    expect([take(), take(), take()]).toEqual(['1/4: 1 2 3 4, 5', '1/1: 5 0 0 0, 4', '2/4: 6 7 8 9, 0']);
  });

  test('a pause gives silence and keeps the place to the sample', () => {
    const { queue, take } = setup();
    queue.push(1, Int16Array.of(1, 2, 3, 4, 5, 6));
    take();
    queue.pause();
    expect(take()).toBe('0/0: 0 0 0 0, 2');
    queue.resume();
    expect(take()).toBe('1/2: 5 6 0 0, 0');
  });

  test('after clearing, the next frame is silence and a new turn starts at its beginning', () => {
    const { queue, take } = setup();
    queue.push(1, Int16Array.of(1, 2, 3, 4, 5, 6));
    take();
    queue.clear();
    expect(take()).toBe('0/0: 0 0 0 0, 0');
    queue.push(2, Int16Array.of(7, 8));
    expect(take()).toBe('2/2: 7 8 0 0, 0');
  });
});
