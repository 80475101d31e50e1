import { describe, expect, it } from 'vitest';
import { DtmfDetector, type ToneKey } from './dtmf-detector.ts';
import { dtmfTone } from './dtmf-tones.ts';
import { decodeG711, encodeG711 } from './g711.ts';
import { applyGain, gainOfDb, mixInto } from './level.ts';
import { tone } from './tone.ts';

const RATE = 8000;
const KEYS = '0123456789*#ABCD';

/** The keys in a sound that has passed the codec, in chunks of `chunk` samples. */
function keysIn(sounds: readonly Int16Array[], chunk = 160): ToneKey[] {
  const sound = Int16Array.from(sounds.flatMap((part) => [...part]));
  const coded = new Uint8Array(sound.length);
  encodeG711('PCMU', sound, coded);
  decodeG711('PCMU', coded, sound);
  const keys: ToneKey[] = [];
  const detector = new DtmfDetector(RATE, (key) => keys.push(key));
  for (let at = 0; at < sound.length; at += chunk) detector.hear(sound.subarray(at, at + chunk));
  return keys;
}

const silence = (ms: number) => new Int16Array((ms * RATE) / 1000);
const press = (key: string, ms = 160) => dtmfTone(key, { sampleRateHz: RATE, samples: (ms * RATE) / 1000 });

describe('DTMF tones', () => {
  // 40 ms of tone and 40 ms of pause are the shortest keys of ITU-T Q.24; 1003 samples fall between two windows.
  it.each([40, 65, 160, 1000])('of %i ms are detected, each once, in their order', (ms) => {
    const sounds = Array.from(KEYS).flatMap((key) => [new Int16Array(1003), press(key, ms), silence(40)]);
    const keys = keysIn(sounds);
    expect(keys.map(({ digit }) => digit).join('')).toBe(KEYS);
    for (const { durationMs } of keys) expect(Math.abs(durationMs - ms)).toBeLessThanOrEqual(20);
  });

  it.each([1, 80, 333])('are detected in chunks of %i samples', (chunk) => {
    expect(keysIn([press('7'), silence(100), press('7'), silence(100)], chunk)).toHaveLength(2);
  });

  it('may be soft, twisted by 6 dB, and in noise of -26 dB', () => {
    let seed = 7;
    const noise = silence(160).map(() => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return (seed / 2 ** 32 - 0.5) * 1200;
    });
    const soft = press('5').slice();
    applyGain(soft, gainOfDb(-25));
    const noisy = press('6').slice();
    mixInto(noisy, noise);
    const twisted = tone({ hz: 852, sampleRateHz: RATE, samples: 1280, amplitude: 4000 });
    mixInto(twisted, tone({ hz: 1477, sampleRateHz: RATE, samples: 1280, amplitude: 8000 }));
    const keys = keysIn([soft, silence(60), noisy, silence(60), twisted, silence(60)]);
    expect(keys.map(({ digit }) => digit).join('')).toBe('569');
  });

  it.each([
    ['a single tone of the keypad', tone({ hz: 770, sampleRateHz: RATE, samples: RATE })],
    ['a beep', tone({ hz: 1000, sampleRateHz: RATE, samples: RATE })],
    ['a key that is too short', press('1', 15)],
    ['a character that is no key', press('x')],
  ])('are not found in %s', (_what, sound) => {
    expect(keysIn([sound, silence(100)])).toEqual([]);
  });

  it('are not found in a dial tone of 350 and 440 Hz, nor in a row tone with a wrong column tone', () => {
    const dial = tone({ hz: 350, sampleRateHz: RATE, samples: RATE });
    mixInto(dial, tone({ hz: 440, sampleRateHz: RATE, samples: RATE }));
    const wrong = tone({ hz: 697, sampleRateHz: RATE, samples: RATE });
    mixInto(wrong, tone({ hz: 1700, sampleRateHz: RATE, samples: RATE }));
    expect(keysIn([dial, wrong, silence(100)])).toEqual([]);
  });
});
