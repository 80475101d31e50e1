/** How the gate follows the caller's level, on a tone and with a detector that is always sure. */
import { tone } from '@parley/audio';
import { describe, expect, it } from 'vitest';
import { NearEndGate } from './near-end-gate.ts';

const RATE_HZ = 8000;
const FRAME_MS = 20;
const FRAME_SAMPLES = 160;
const SURE = 0.9;

/** Plays tones one after the other; the window of each frame counts as speech unless the tone is silent. */
function setup(keepsNoiseOut = true) {
  const gate = new NearEndGate(RATE_HZ, keepsNoiseOut);
  const silence = new Int16Array(FRAME_SAMPLES);
  const loud = tone({ hz: 400, sampleRateHz: RATE_HZ, samples: FRAME_SAMPLES });
  let nowMs = 0;
  /** @returns after how many milliseconds the sound counted as speech; Infinity if it never did */
  return (db: number, forMs: number): number => {
    const frame = db === -Infinity ? silence : loud.map((sample) => sample * 10 ** (db / 20));
    const startMs = nowMs;
    let countedMs = Infinity;
    while (nowMs - startMs < forMs) {
      nowMs += FRAME_MS;
      gate.hear(frame, silence);
      const counted = gate.weigh(db === -Infinity ? 0 : SURE, nowMs);
      if (counted > 0) countedMs = Math.min(countedMs, nowMs - startMs);
    }
    return countedMs;
  };
}

describe('a caller', () => {
  it('who becomes a little softer counts at once', () => {
    const play = setup();
    play(0, 3000);
    play(-Infinity, 1000);
    expect(play(-6, 1000)).toBeLessThanOrEqual(100); // the gate looks at the last 96 ms
  });

  it('who stays much softer counts after some seconds, because the level falls', () => {
    const play = setup();
    play(0, 3000);
    play(-Infinity, 1000);
    const countedMs = play(-10, 20_000);
    expect(countedMs).toBeGreaterThan(2000);
    expect(countedMs).toBeLessThan(8000);
  });

  it('is heard again after a louder voice in the background', () => {
    const play = setup();
    play(-10, 3000);
    play(-Infinity, 1000);
    play(0, 1000);
    play(-Infinity, 1000);
    expect(play(-10, 20_000)).toBeLessThan(20_000);
  });

  it('who falls far behind an earlier level counts again when a voice in the background was known', () => {
    const play = setup(false);
    play(0, 3000);
    play(-24, 3000); // somebody else
    play(0, 1000);
    play(-Infinity, 1000);
    expect(play(-17, 20_000)).toBeGreaterThan(2000); // like the voice in the background
    expect(play(-17, 20_000)).toBeLessThan(20_000);
  });
});
