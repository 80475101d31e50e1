import { decodeG711, encodeG711, mixInto, tone } from '@parley/audio';
import { describe, expect, it } from 'vitest';
import { BeepDetector } from './beep-detector.ts';

const RATE = 8000;

/** How many beeps are found in a sound that has been through a telephone. */
function beepsIn(sound: Int16Array): number {
  const coded = new Uint8Array(sound.length);
  encodeG711('PCMU', sound, coded);
  decodeG711('PCMU', coded, sound);
  const detector = new BeepDetector(RATE);
  let beeps = 0;
  for (let at = 0; at + 160 <= sound.length; at += 160)
    if (detector.hear(sound.subarray(at, at + 160))) beeps += 1;
  return beeps;
}

function silence(ms: number): Int16Array {
  return new Int16Array((ms * RATE) / 1000);
}
function beep(hz: number, ms: number, amplitude = 8000): Int16Array {
  return tone({ hz, sampleRateHz: RATE, samples: (ms * RATE) / 1000, amplitude });
}
function joined(...parts: Int16Array[]): Int16Array {
  return Int16Array.from(parts.flatMap((part) => [...part]));
}
function two(first: number, second: number): Int16Array {
  const sound = beep(first, 400, 5000);
  mixInto(sound, beep(second, 400, 5000));
  return sound;
}
/** Noise that is the same in every run, 40 dB below full scale for an amplitude of 600. */
function noise(ms: number, amplitude: number): Int16Array {
  let seed = 7;
  return silence(ms).map(() => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed / 2 ** 31 - 1) * amplitude;
  });
}
/** A tone that slides, as a voice does. */
function glide(fromHz: number, toHz: number, ms: number): Int16Array {
  let phase = 0;
  const sound = silence(ms);
  return sound.map((_sample, n) => {
    phase += (2 * Math.PI * (fromHz + ((toHz - fromHz) * n) / sound.length)) / RATE;
    return 8000 * Math.sin(phase);
  });
}
function noisyBeep(): Int16Array {
  const sound = joined(silence(400), beep(850, 300), silence(400));
  mixInto(sound, noise(1100, 600));
  return sound;
}

describe('a beep', () => {
  it.each([
    ['of 400 Hz', joined(silence(300), beep(410, 500), silence(300)), 1],
    ['of 1000 Hz', joined(silence(310), beep(1000, 250)), 1],
    ['of 1400 Hz, quiet', joined(silence(300), beep(1400, 400, 900)), 1],
    ['of 2000 Hz', joined(beep(1990, 400)), 1],
    ['under the noise of a line', noisyBeep(), 1],
    ['twice', joined(beep(1000, 300), silence(200), beep(1000, 300)), 2],
    ['too short', joined(silence(300), beep(1000, 120), silence(300)), 0],
    ['too faint', joined(beep(1000, 400, 200)), 0],
    ['too deep', joined(beep(300, 500)), 0],
    ['too high', joined(beep(2600, 500)), 0],
    ['of two tones: a key', two(770, 1336), 0],
    ['of two tones: ringing', two(440, 480), 0],
    ['that slides: a voice', glide(500, 1500, 600), 0],
    ['of noise', noise(1000, 8000), 0],
    ['of nothing', silence(1000), 0],
  ])('%s', (_name, sound, beeps) => {
    expect(beepsIn(sound)).toBe(beeps);
  });
});
