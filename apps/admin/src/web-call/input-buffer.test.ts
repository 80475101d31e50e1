import { describe, expect, it } from 'vitest';
import { InputBuffer } from './input-buffer.ts';

const GRAIN = 32;
const BLOCK = 128;

/** Runs blocks through a buffer as an audio thread does, and returns what was played. */
function play(rateHz: number, blocks: number): number[] {
  const buffer = new InputBuffer(rateHz);
  const played: number[] = [];
  let due = 0;
  for (let n = 0; n < blocks; n += 1) {
    buffer.push(new Float32Array(BLOCK).fill(0.5));
    for (due += (BLOCK * 16_000) / rateHz; due >= GRAIN; due -= GRAIN) {
      const grain = new Int16Array(GRAIN);
      buffer.addTo(grain);
      played.push(...grain);
    }
  }
  return played;
}

describe('the sound of a WebRTC connection in the playback worklet', () => {
  it.each([16_000, 44_100, 48_000])('flows without a gap at %i Hz', (rateHz) => {
    const played = play(rateHz, 500);
    const first = played.findIndex((sample) => sample > 16_000);
    expect(first).toBeLessThan(400);
    expect(Math.min(...played.slice(first))).toBeGreaterThan(16_000);
  });

  it('is added to what is there, and clipped', () => {
    const buffer = new InputBuffer(16_000);
    buffer.push(new Float32Array(BLOCK).fill(0.9));
    const grain = new Int16Array(GRAIN).fill(20_000);
    buffer.addTo(grain);
    expect(grain.at(-1)).toBe(32_767);
  });

  it('drops what is too old', () => {
    const buffer = new InputBuffer(16_000);
    for (let n = 0; n < 100; n += 1) buffer.push(new Float32Array(BLOCK).fill(n / 100));
    const grain = new Int16Array(GRAIN);
    buffer.addTo(grain);
    expect(grain[0]).toBeGreaterThan(0.85 * 32_768);
  });
});
