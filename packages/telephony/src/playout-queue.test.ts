import { describe, expect, test } from 'vitest';
import { PlayoutQueue } from './playout-queue.ts';

/** Two frames of ten samples of a voice that is all 1000s: the one after it was cut, and the one after it may go on. */
function edges(cut: (queue: PlayoutQueue) => void) {
  const queue = new PlayoutQueue();
  const frame = new Int16Array(10);
  queue.push(1, new Int16Array(25).fill(1000));
  queue.takeInto(frame);
  cut(queue);
  queue.takeInto(frame);
  const after = [...frame];
  queue.resume();
  queue.takeInto(frame);
  return { after, resumed: [...frame], queue };
}

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

  test('pieces of one turn join without a gap, for any lengths', () => {
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

  test('a lowered level changes over one frame, belongs to the turn, and ends when playout resumes', () => {
    const queue = new PlayoutQueue();
    const frame = new Int16Array(4);
    queue.push(1, new Int16Array(16).fill(800));
    const take = (): string => `${queue.takeInto(frame).samples}: ${frame.join(' ')}`;
    queue.lower();
    expect([take(), take()]).toEqual(['4: 650 500 350 200', '4: 200 200 200 200']);
    queue.resume();
    expect([take(), take()]).toEqual(['4: 350 500 650 800', '4: 800 800 800 800']);
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

  test('a voice that is cut off fades out, and fades in again where it goes on', () => {
    const { after, resumed, queue } = edges((paused) => paused.pause());
    expect(after).toEqual([500, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(resumed).toEqual([0, 500, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000]);
    expect(queue.queuedSamples).toBe(5);
  });

  test('dropped audio fades out too, and the next turn begins unchanged', () => {
    const { after, resumed } = edges((dropped) => dropped.clear());
    expect(after).toEqual([500, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(resumed).toEqual(Array.from({ length: 10 }, () => 0));
  });

  test.each([10, 15])(
    'speech that runs out after %d samples fades out, and in again where it continues',
    (first) => {
      const queue = new PlayoutQueue();
      const frame = new Int16Array(10);
      const samples: number[] = [];
      const take = (): void => {
        queue.takeInto(frame);
        samples.push(...frame);
      };
      queue.push(1, new Int16Array(first).fill(1000));
      for (let i = 0; i < 3; i++) take();
      queue.push(1, new Int16Array(10).fill(1000));
      take();
      const sent = Array.from({ length: first }, () => 1000);
      expect(samples.slice(0, 30)).toEqual([...sent, 500, ...Array.from({ length: 29 - first }, () => 0)]);
      expect(samples.slice(30)).toEqual([0, 500, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000]);
      queue.push(2, new Int16Array(10).fill(1000));
      take();
      expect(samples.slice(40)).toEqual(Array.from({ length: 10 }, () => 1000));
    },
  );
});
