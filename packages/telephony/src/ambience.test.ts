import { peak, tone, toneAmplitude } from '@parley/audio';
import { describe, expect, it } from 'vitest';
import { PlayoutQueue } from './playout-queue.ts';

const RATE = 8000;
const FRAME = 160;
/** The room: a second of 1000 Hz, which begins where it ends. */
const ROOM = tone({ hz: 1000, sampleRateHz: RATE, samples: RATE, amplitude: 2000 });

function setup(gain = 1) {
  const queue = new PlayoutQueue();
  queue.setAmbience({ samples: ROOM, gain });
  const hear = (ms: number): { sound: Int16Array; spoken: number; turns: number[] } => {
    const frames: number[] = [];
    const turns: number[] = [];
    let spoken = 0;
    for (let passed = 0; passed < ms; passed += 20) {
      const frame = new Int16Array(FRAME);
      const { turn, samples } = queue.takeInto(frame);
      spoken += samples;
      turns.push(turn);
      frames.push(...frame);
    }
    return { sound: Int16Array.from(frames), spoken, turns };
  };
  return { queue, hear };
}
const roomIn = (sound: Int16Array): number => toneAmplitude(sound.subarray(-RATE / 2), 1000, RATE);

describe('the sound of a room', () => {
  it('is played during silence, without a turn', () => {
    const { hear } = setup();
    const { sound, spoken, turns } = hear(1000);
    expect(roomIn(sound)).toBeCloseTo(2000, -2);
    expect(spoken).toBe(0);
    expect(new Set(turns)).toEqual(new Set([0]));
  });

  it('is as loud as it was set', () => {
    expect(roomIn(setup(0.25).hear(1000).sound)).toBeCloseTo(500, -1.5);
    expect(peak(setup(0).hear(1000).sound)).toBe(0);
  });

  it('is 6 dB softer under speech, which stays as it is, and comes back after it', () => {
    const { queue, hear } = setup();
    hear(500);
    queue.push(1, tone({ hz: 300, sampleRateHz: RATE, samples: RATE }));
    const { sound, spoken } = hear(1000);
    expect(roomIn(sound)).toBeCloseTo(2000 * 0.501, -2);
    expect(toneAmplitude(sound.subarray(-RATE / 2), 300, RATE)).toBeCloseTo(8000, -2);
    expect(spoken).toBe(RATE);
    expect(roomIn(hear(1000).sound)).toBeCloseTo(2000, -2);
  });

  it('goes on where a turn is paused or dropped', () => {
    const { queue, hear } = setup();
    queue.push(1, tone({ hz: 300, sampleRateHz: RATE, samples: RATE }));
    queue.pause();
    expect(roomIn(hear(1000).sound)).toBeCloseTo(2000, -2);
    queue.clear();
    expect(roomIn(hear(1000).sound)).toBeCloseTo(2000, -2);
  });

  it('goes round without a click', () => {
    const { sound } = setup().hear(3000);
    const steps = sound
      .subarray(1000)
      .map((sample, n) => (n === 0 ? 0 : Math.abs(sample - (sound[999 + n] ?? 0))));
    expect(Math.max(...steps)).toBeLessThan(2000);
  });
});
