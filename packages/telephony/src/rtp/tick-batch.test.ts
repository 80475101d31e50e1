import { expect, test } from 'vitest';
import { TickBatch, unpackTicks } from './tick-batch.ts';

/** Every number of frame `n` differs from every other. */
function frame(n: number) {
  return {
    call: { id: n, index: 1000 + n },
    tick: {
      received: new Int16Array(160).fill(n),
      isConcealed: n % 2 === 1,
      sent: new Int16Array(160).fill(-n),
      sentTurn: 2000 + n,
      sentSamples: 3000 + n,
      receivedAgoMs: 20 + n,
      queuedSamples: 4000 + n,
    },
    stats: {
      packetsSent: 5000 + n,
      packetsReceived: 6000 + n,
      packetsLost: 7000 + n,
      jitterMs: n + 0.125,
      concealedFrames: 8000 + n,
      far:
        n % 3 === 0
          ? null
          : { packetsLost: n, jitterMs: n + 0.5, roundTripMs: n % 2 === 0 ? null : n + 0.25 },
    },
  };
}

test('a hundred frames arrive unchanged, in order', () => {
  const batch = new TickBatch();
  const frames = Array.from({ length: 100 }, (_, n) => frame(n));
  for (const { call, tick, stats } of frames) batch.add(call, tick, stats);
  const packed = batch.take();
  const unpacked = packed ? [...unpackTicks(packed)] : [];
  expect(unpacked).toEqual(
    frames.map(({ call, tick, stats }) => ({ id: call.id, tick: { index: call.index, ...tick }, stats })),
  );
});

test('a taken batch is not changed by later frames, and an empty batch gives null', () => {
  const batch = new TickBatch();
  expect(batch.take()).toBeNull();
  const first = frame(1);
  batch.add(first.call, first.tick, first.stats);
  const packed = batch.take();
  const second = frame(2);
  batch.add(second.call, second.tick, second.stats);
  expect(packed?.sound[0]).toBe(1);
  expect(batch.take()?.facts).toHaveLength(packed?.facts.length ?? 0);
});
