import { describe, expect, test } from 'vitest';
import { JitterBuffer } from './jitter-buffer.ts';

const FRAME = 160;

/**
 * A buffer fed by hand. Packet n carries 160 samples that all say n + 1, at timestamp `first + 160 n`; `take` gives that
 * number, 0 for a frame that is missing, or -1 before the first packet.
 */
function setup(first = 0) {
  const buffer = new JitterBuffer({ sampleRateHz: 8000, frameSamples: FRAME });
  const frame = new Int16Array(FRAME);
  const isThere = new Uint8Array(FRAME);
  const put = (...numbers: number[]) =>
    numbers.map((n) => buffer.put((first + FRAME * n) >>> 0, new Int16Array(FRAME).fill(n + 1)));
  const take = (): number => {
    const result = buffer.take(frame, isThere);
    if (result === 'idle') return -1;
    return result === 'missing' ? 0 : (frame[0] ?? 0);
  };
  const takeMany = (count: number): number[] => Array.from({ length: count }, take);
  return { buffer, put, take, takeMany };
}

/** Feeds packets `from` to `to`, one before each take; a `change` may withhold, delay or repeat them. */
function run(from: number, to: number, arrivals: (step: number) => number[]) {
  const { buffer, put, take } = setup();
  const heard: number[] = [];
  for (let step = from; step < to; step++) {
    put(...arrivals(step));
    heard.push(take());
  }
  return { buffer, heard };
}

describe('jitter buffer', () => {
  test('it is idle before the first packet', () => {
    expect(setup().takeMany(3)).toEqual([-1, -1, -1]);
  });

  test('a steady stream comes out complete, in order, two frames late', () => {
    const { heard } = run(0, 10, (step) => [step]);
    expect(heard).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('packets out of order come out in order', () => {
    const { put, takeMany } = setup();
    put(0, 2, 1, 4, 3);
    expect(takeMany(7)).toEqual([0, 0, 1, 2, 3, 4, 5]);
  });

  test('a duplicate is recognised, before and after it was played', () => {
    const { put, takeMany } = setup();
    expect(put(0, 1, 1)).toEqual(['taken', 'taken', 'duplicate']);
    takeMany(3);
    expect(put(0)).toEqual(['duplicate']);
    expect(takeMany(2)).toEqual([2, 0]);
  });

  test('a repeated last packet is not played again', () => {
    const { put, takeMany } = setup();
    put(0);
    takeMany(4);
    expect(put(0)).toEqual(['duplicate']);
    expect(takeMany(3)).toEqual([0, 0, 0]);
  });

  test('a lost packet is one missing frame and nothing else', () => {
    const { heard } = run(0, 10, (step) => (step === 4 ? [] : [step]));
    expect(heard).toEqual([0, 0, 1, 2, 3, 4, 0, 6, 7, 8]);
  });

  test('a packet that is three frames late is lost and increases the delay by a frame, so that the next one is in time', () => {
    const isDelayed = (n: number): boolean => n === 5 || n === 20;
    const { heard } = run(0, 40, (step) => [
      ...(isDelayed(step - 3) ? [step - 3] : []),
      ...(isDelayed(step) ? [] : [step]),
    ]);
    expect(heard).not.toContain(6);
    expect(heard).toContain(21);
    expect(heard.filter((n) => n > 0)).toHaveLength(40 - 3 - 1);
    expect(heard.slice(3).filter((n) => n === 0)).toHaveLength(2); // the lost frame, and the one of waiting
  });

  test('when the whole stream becomes later, nothing is lost and the gap is the pause plus a frame', () => {
    // Packets 10, 11 ... arrive five frames late, all of them, and keep that delay.
    const { heard } = run(0, 60, (step) => (step < 10 ? [step] : step < 15 ? [] : [step - 5]));
    const sounding = heard.filter((n) => n > 0);
    expect(sounding).toEqual(Array.from({ length: sounding.length }, (_, i) => i + 1));
    expect(heard.slice(2).filter((n) => n === 0).length).toBeLessThanOrEqual(5 + 1);
  });

  test('a burst after a stall is played at once, and at most 400 ms of it are kept', () => {
    const { heard } = run(0, 200, (step) => {
      if (step < 50) return [step];
      if (step < 100) return [];
      return step === 100 ? Array.from({ length: 51 }, (_, i) => 50 + i) : [step];
    });
    const after = heard.slice(100);
    expect(after.every((n) => n > 0)).toBe(true);
    expect(after.every((n, i) => i === 0 || n > (after[i - 1] ?? 0))).toBe(true);
    expect(200 - (heard.at(-1) ?? 0)).toBeLessThan(20);
  });

  test('a stream that stays early loses one frame of delay after three seconds, once', () => {
    const { buffer, heard } = run(0, 600, (step) => [step]);
    expect(buffer.depthMs).toBe(20);
    expect(heard.slice(2).filter((n) => n === 0)).toEqual([]);
  });

  test('a sender whose clock is one per cent fast never accumulates more than 160 ms', () => {
    const { buffer, heard } = run(0, 3000, (step) =>
      step % 100 === 99
        ? [step + Math.floor(step / 100), step + Math.floor(step / 100) + 1]
        : [step + Math.floor(step / 100)],
    );
    expect(buffer.depthMs).toBeLessThanOrEqual(160);
    expect(heard.slice(2).filter((n) => n === 0)).toEqual([]);
  });

  test('a sender whose clock runs one per cent slow costs one frame each time, and no packet', () => {
    const { heard } = run(0, 3000, (step) => (step % 100 === 99 ? [] : [step - Math.floor(step / 100)]));
    const sounding = heard.filter((n) => n > 0);
    expect(sounding).toEqual(Array.from({ length: sounding.length }, (_, i) => i + 1));
    expect(heard.filter((n) => n === 0).length).toBeLessThan(40);
  });

  test('timestamps may wrap around', () => {
    const { put, takeMany } = setup(2 ** 32 - 3 * FRAME);
    put(0, 1, 2, 3, 4);
    expect(takeMany(7)).toEqual([0, 0, 1, 2, 3, 4, 5]);
  });

  test('packets of 10 and of 30 ms come out as frames of 20 ms', () => {
    for (const length of [80, 240]) {
      const buffer = new JitterBuffer({ sampleRateHz: 8000, frameSamples: FRAME });
      const ramp = Int16Array.from({ length: 960 }, (_, i) => i);
      for (let at = 0; at < 960; at += length) buffer.put(at, ramp.subarray(at, at + length));
      const out: number[] = [];
      const frame = new Int16Array(FRAME);
      for (let i = 0; i < 8; i++)
        if (buffer.take(frame, new Uint8Array(FRAME)) === 'sound') out.push(...frame);
      expect(out).toEqual([...ramp]);
    }
  });

  test('a sender that resets its timestamps continues with the initial delay', () => {
    const { buffer, put, takeMany } = setup();
    put(0, 1);
    takeMany(4);
    buffer.put(3_000_000_000, new Int16Array(FRAME).fill(77));
    expect(takeMany(3)).toEqual([0, 0, 77]);
  });

  test('a sender whose timestamps stop during silence continues', () => {
    const { put, takeMany } = setup();
    put(0, 1);
    takeMany(4 + 40);
    put(2, 3, 4);
    expect(takeMany(5)).toEqual([0, 0, 3, 4, 5]);
  });

  test('with any order, loss and repetition of packets, audio comes out in order and once', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const arrivals: number[][] = Array.from({ length: 2000 }, () => []);
    for (let n = 0; n < 1990; n++) {
      if (random() < 0.1) continue;
      arrivals[n + Math.floor(random() * 4)]?.push(n);
      if (random() < 0.1) arrivals[n + Math.floor(random() * 8)]?.push(n);
    }
    const { heard } = run(0, 2000, (step) => arrivals[step] ?? []);
    const sounding = heard.filter((n) => n > 0);
    expect(sounding.every((n, i) => i === 0 || n > (sounding[i - 1] ?? 0))).toBe(true);
    expect(sounding.length).toBeGreaterThan(1990 * 0.9 * 0.97);
  });
});
