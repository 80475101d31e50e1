/** One direction of a bridge, with a leg that sends one frame per received frame, or falls behind. */
import { tone, tonePurity } from '@parley/audio';
import type { MediaPort, MediaTick } from '@parley/telephony';
import { describe, expect, it } from 'vitest';
import { SoundPipe } from './sound-pipe.ts';

const FRAME = 160;
const CUSHION = 2;

function setup() {
  const queue: Int16Array[] = [];
  const media = {
    frameSamples: FRAME,
    play: (_turn: number, samples: Int16Array) => void queue.push(samples),
  };
  const pipe = new SoundPipe(media as unknown as MediaPort);
  // The memory of a frame is reused, as in the media worker.
  const memory = new Int16Array(FRAME);
  const hear = (level: number): void => {
    memory.fill(level);
    pipe.pass({ received: memory } as unknown as MediaTick);
  };
  const waiting = (): number => queue.reduce((sum, { length }) => sum + length, 0) / FRAME;
  /** The first sample of the sent frame; null for silence, when the queue is empty. */
  const send = (): number | null => {
    const first = queue.shift();
    if (first && first.length > FRAME) queue.unshift(first.subarray(FRAME));
    pipe.noteSent({ queuedSamples: waiting() * FRAME } as MediaTick);
    return first?.[0] ?? null;
  };
  return { hear, send, waiting };
}

describe('a direction of a bridge', () => {
  it('plays each frame once and in order, two frames behind', () => {
    const { hear, send } = setup();
    const sent: (number | null)[] = [];
    for (let level = 1; level <= 100; level++) {
      hear(level);
      sent.push(send());
    }
    const heard = Array.from({ length: 100 - CUSHION }, (_, index) => index + 1);
    expect(sent).toEqual([0, 0, ...heard]);
  });

  it('drops the backlog that built up while the other leg did not send', () => {
    const { hear, send, waiting } = setup();
    for (let level = 1; level <= 50; level++) hear(level);
    expect(waiting()).toBe(5);
    for (let level = 51; level <= 200; level++) {
      hear(level);
      send();
      expect(waiting()).toBeLessThanOrEqual(5);
    }
    // The next frame is played within 100 ms.
    const newest = 200;
    expect(newest - (send() ?? 0)).toBeLessThanOrEqual(5);
  });

  it('continues after its queue ran empty', () => {
    const { hear, send } = setup();
    for (let frame = 0; frame < 10; frame++) send();
    hear(7);
    expect(send()).toBe(7);
  });
});

it.each([
  { fromHz: 16_000, toHz: 8000 },
  { fromHz: 8000, toHz: 16_000 },
])('a bridge from $fromHz Hz to $toHz Hz keeps the tone', ({ fromHz, toHz }) => {
  const played: number[] = [];
  const media = {
    frameSamples: toHz / 50,
    play: (_turn: number, samples: Int16Array) => void played.push(...samples),
  };
  const pipe = new SoundPipe(media as unknown as MediaPort);
  for (let frame = 0; frame < 50; frame++) {
    const samples = fromHz / 50;
    const received = tone({ hz: 700, sampleRateHz: fromHz, samples, startAt: frame * samples });
    pipe.pass({ received } as unknown as MediaTick);
    pipe.noteSent({ queuedSamples: 0 } as MediaTick);
  }
  expect(played).toHaveLength(52 * media.frameSamples);
  expect(tonePurity(Int16Array.from(played.slice(-toHz / 2)), 700, toHz)).toBeGreaterThan(0.99);
});
