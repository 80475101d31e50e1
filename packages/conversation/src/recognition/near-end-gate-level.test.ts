/** How the gate follows the caller's level, on a tone and with a detector that is always sure. */
import { tone } from '@parley/audio';
import { describe, expect, it } from 'vitest';
import { NearEndGate } from './near-end-gate.ts';

const RATE_HZ = 8000;
const FRAME_MS = 20;
const FRAME_SAMPLES = 160;
const SURE = 0.9;

/** The assistant's speech, of another pitch than the caller's. */
const OURS = tone({ hz: 700, sampleRateHz: RATE_HZ, samples: FRAME_SAMPLES });

/** Plays tones one after the other; the window of each frame counts as speech unless the tone is silent. */
function setup(keepsNoiseOut = true) {
  const gate = new NearEndGate(RATE_HZ, keepsNoiseOut);
  const silence = new Int16Array(FRAME_SAMPLES);
  const loud = tone({ hz: 400, sampleRateHz: RATE_HZ, samples: FRAME_SAMPLES });
  let nowMs = 0;
  /** @returns after how many milliseconds the sound counted as speech; Infinity if it never did */
  return (db: number, forMs: number, sent: Int16Array = silence): number => {
    const frame = db === -Infinity ? silence : loud.map((sample) => sample * 10 ** (db / 20));
    const startMs = nowMs;
    let countedMs = Infinity;
    while (nowMs - startMs < forMs) {
      nowMs += FRAME_MS;
      gate.hear(frame, sent);
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

  it.each([-10, -14, -18])('who becomes much softer (%i dB) counts after a second of that', (db) => {
    const play = setup();
    play(0, 3000);
    play(-Infinity, 1000);
    const countedMs = play(db, 20_000);
    expect(countedMs).toBeGreaterThan(500);
    expect(countedMs).toBeLessThan(2000);
  });

  it('who becomes softer in several short answers counts too, and is heard at once when loud again', () => {
    const play = setup();
    play(0, 3000);
    for (let n = 0; n < 3; n++) {
      play(-Infinity, 1000);
      play(-14, 400);
    }
    play(-Infinity, 1000);
    expect(play(-14, 1000)).toBeLessThanOrEqual(100);
    play(-Infinity, 1000);
    expect(play(0, 1000)).toBeLessThanOrEqual(100);
  });

  it.each([true, false])('is distinguished from a voice 30 dB softer (noise kept out: %s)', (keeps) => {
    const play = setup(keeps);
    play(0, 3000);
    play(-Infinity, 1000);
    expect(play(-30, 20_000)).toBe(Infinity);
    play(-14, 2000); // the caller, softer than before
    play(-Infinity, 500);
    expect(play(-30, 8000)).toBe(Infinity);
  });

  it('is distinguished from another voice that was audible before the caller last spoke', () => {
    const play = setup();
    for (let n = 0; n < 2; n++) {
      play(0, 3000);
      play(-Infinity, 500);
      play(-18, 900); // a television; too short to be taken for the caller
    }
    play(0, 2000);
    play(-Infinity, 500);
    expect(play(-18, 6000)).toBe(Infinity);
    expect(play(0, 1000)).toBeLessThanOrEqual(100);
    play(-Infinity, 500);
    expect(play(-8.5, 3000)).toBeLessThan(2000);
  });

  it('does not get a new level while we speak', () => {
    const play = setup();
    play(0, 3000);
    play(-Infinity, 1000);
    expect(play(-14, 8000, OURS)).toBe(Infinity);
    expect(play(-14, 8000)).toBeLessThan(2000);
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
