import { describe, expect, it } from 'vitest';
import { Stretcher } from './stretcher.ts';
import { tone, tonePurity } from './tone.ts';

const RATE_HZ = 8000;
const FRAME = 160;

/** Ten seconds of a tone through the stretcher, piece by piece. `taken`: input samples used. */
function stretch(speedAt: (frame: number) => number, hz = 1000): { output: Int16Array; taken: number } {
  const input = tone({ hz, sampleRateHz: RATE_HZ, samples: 82_000, amplitude: 8000 });
  const stretcher = new Stretcher();
  const output = new Int16Array(500 * FRAME);
  let taken = 0;
  for (let frame = 0; frame < 500; frame++) {
    const speed = speedAt(frame);
    const count = stretcher.inputFor(FRAME, speed);
    const piece = output.subarray(frame * FRAME, (frame + 1) * FRAME);
    stretcher.processInto(input.subarray(taken, taken + count), piece, speed);
    taken += count;
  }
  return { output, taken };
}

/** The largest difference between a sample and what a tone of that frequency would have there, given its neighbours. */
function worstStep(sound: Int16Array, hz: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * hz) / RATE_HZ);
  let worst = 0;
  for (let i = 100; i < sound.length - 1; i++) {
    const expected = turn * (sound[i] ?? 0) - (sound[i - 1] ?? 0);
    worst = Math.max(worst, Math.abs((sound[i + 1] ?? 0) - expected));
  }
  return worst;
}

describe('stretched audio', () => {
  it('is unchanged at speed 1, with a constant delay', () => {
    const { output, taken } = stretch(() => 1);
    const input = tone({ hz: 1000, sampleRateHz: RATE_HZ, samples: taken, amplitude: 8000 });
    expect(taken).toBe(output.length);
    expect(output.subarray(Stretcher.latencySamples)).toEqual(input.subarray(0, -Stretcher.latencySamples));
  });

  it.each([200e-6, -200e-6, 2000e-6, -2000e-6])('consumes %d more of its input', (more) => {
    const { output, taken } = stretch(() => 1 + more);
    expect(Math.abs(taken - output.length * (1 + more))).toBeLessThan(2);
  });

  it.each([300, 1000, 3400])('keeps the purity and level of a tone of %i Hz', (hz) => {
    const { output } = stretch(() => 1 + 200e-6, hz);
    // In every stretch of it: where between two samples is read changes all the time.
    for (let at = 800; at + 800 <= output.length; at += 800) {
      const piece = output.subarray(at, at + 800);
      expect(tonePurity(piece, hz * (1 + 200e-6), RATE_HZ)).toBeGreaterThan(0.998);
      const loudest = Math.max(...piece);
      expect(Math.abs(20 * Math.log10(loudest / 8000))).toBeLessThan(0.5);
    }
  });

  it('has no discontinuity where the speed changes', () => {
    const { output } = stretch((frame) => 1 + Math.sin(frame) * 500e-6);
    expect(worstStep(output, 1000)).toBeLessThan(30);
    // The measure sees a step: one sample left out.
    const cut = Int16Array.from([...output.subarray(0, 5000), ...output.subarray(5001)]);
    expect(worstStep(cut, 1000)).toBeGreaterThan(1000);
  });
});
