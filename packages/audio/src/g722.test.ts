import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { G722Decoder, G722Encoder } from './g722.ts';
import { seededRandom } from './seeded-noise.ts';
import { tone, tonePurity } from './tone.ts';

/*
 * The hashes are those of the octets and samples (little endian) of g722_encode and g722_decode of libspandsp 2.0.0, an
 * independent implementation, at 64 000 bit/s without options, for the signals below. These stay below full scale, where that
 * version wraps around in place of the saturation that the Recommendation demands.
 */
const ENCODED = '900c1c24f12362c8b49e160cb0762945770e25abd04585415a069eec68cddc3c';
const DECODED = 'd233bef28ac1dbaa11fffffef9ae01e0f8960e44a0a58445c4534c2da7384012';
const DECODED_NOISE = 'd9c41ef790d69adf307d58a3e36612e9e84f74a75093839b87a32e27b347756e';

const sha256 = (data: Uint8Array | Int16Array) =>
  createHash('sha256')
    .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest('hex');

/** One second of silence, noise of four levels and square waves; and octets at random, without the largest differences. */
function setup() {
  const random = seededRandom(7);
  const integer = (below: number) => (random() * 2 ** 32) % below;
  const sound = Int16Array.from({ length: 16_000 }, (_, i) => {
    const noise = integer(65_536) - 32_768;
    if (Math.floor(i / 4000) % 2 === 0)
      return [0, noise >> 8, noise >> 4, noise >> 2, noise >> 1][Math.floor(i / 800) % 5] ?? 0;
    const isHigh = Math.floor(i / (8 + Math.floor(i / 2000))) % 2 === 1;
    return Math.max(-32_768, Math.min(32_767, (isHigh ? 9000 : -9000) + (noise >> 6)));
  });
  return { sound, octets: Uint8Array.from({ length: 8000 }, () => integer(256) | 0x10) };
}

function encodeFrames(sound: Int16Array, frameSamples: number): Uint8Array {
  const encoder = new G722Encoder();
  const octets = new Uint8Array(sound.length / 2);
  for (let at = 0; at < sound.length; at += frameSamples)
    encoder.encode(sound.subarray(at, at + frameSamples), octets, at / 2);
  return octets;
}

function decodeFrames(octets: Uint8Array, frameOctets: number): Int16Array {
  const decoder = new G722Decoder();
  const sound = new Int16Array(octets.length * 2);
  for (let at = 0; at < octets.length; at += frameOctets)
    decoder.decode(octets.subarray(at, at + frameOctets), sound.subarray(at * 2));
  return sound;
}

describe('equals another implementation bit for bit', () => {
  test.each([320, 16_000, 2])('encoding in frames of %i samples', (frameSamples) => {
    expect(sha256(encodeFrames(setup().sound, frameSamples))).toBe(ENCODED);
  });

  test.each([160, 8000, 1])('decoding in frames of %i octets', (frameOctets) => {
    expect(sha256(decodeFrames(encodeFrames(setup().sound, 320), frameOctets))).toBe(DECODED);
  });

  test('decoding arbitrary octets', () => {
    expect(sha256(decodeFrames(setup().octets, 160))).toBe(DECODED_NOISE);
  });
});

/** The delay of the filters of encoder and decoder together, in samples of 16 000 Hz. */
const DELAY_SAMPLES = 22;

test.each([300, 1000, 3400, 5000, 6500])('a tone of %i Hz stays pure and aligned', (hz) => {
  const original = tone({ hz, sampleRateHz: 16_000, samples: 16_000 });
  const heard = decodeFrames(encodeFrames(original, 320), 160);
  expect(tonePurity(heard.subarray(8000), hz, 16_000)).toBeGreaterThan(0.98);
  let product = 0;
  for (let i = 8000; i < 15_000; i++) product += (original[i] ?? 0) * (heard[i + DELAY_SAMPLES] ?? 0);
  expect(product).toBeGreaterThan(0);
});
