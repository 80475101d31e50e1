import { spawnSync } from 'node:child_process';
import { isInstalled } from '@parley/testkit';
import { describe, expect, test } from 'vitest';
import { decodeG711, encodeG711, g711Silence, type G711Codec } from './g711.ts';

const CODECS: G711Codec[] = ['PCMU', 'PCMA'];
const ALL_CODES = Uint8Array.from({ length: 256 }, (_, code) => code);
const ALL_SAMPLES = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
const SOX_ENCODINGS = { PCMU: 'mu-law', PCMA: 'a-law' };
/** Beyond these the laws clip. */
const LARGEST = { PCMU: 32_635, PCMA: 32_767 };
const hasSox = isInstalled('sox');

function valuesOfAllCodes(codec: G711Codec): Int16Array {
  const values = new Int16Array(256);
  decodeG711(codec, ALL_CODES, values);
  return values;
}

function codesOf(codec: G711Codec, samples: Int16Array): Uint8Array {
  const codes = new Uint8Array(samples.length);
  encodeG711(codec, samples, codes);
  return codes;
}

/** Half the distance between two values of the code's segment (G.711 tables 1 and 2, in 16-bit units). */
function halfStep(codec: G711Codec, code: number): number {
  const segment = ((codec === 'PCMU' ? ~code : code ^ 0x55) >> 4) & 7;
  return codec === 'PCMU' ? 4 << segment : 8 << Math.max(0, segment - 1);
}

function sox(input: Uint8Array, from: string[], to: string[]): Buffer {
  const result = spawnSync(
    'sox',
    ['-D', '-t', 'raw', '-r', '8000', '-c', '1', ...from, '-', '-t', 'raw', ...to, '-'],
    {
      input,
      maxBuffer: 1 << 20,
    },
  );
  if (result.status !== 0) throw new Error(result.stderr.toString());
  return result.stdout;
}

describe.each(CODECS)('%s', (codec) => {
  test('every code survives decoding and encoding again', () => {
    const again = new Uint8Array(256);
    encodeG711(codec, valuesOfAllCodes(codec), again);
    // Mu-law has two zeros: 0x7f is "minus zero", which no sample encodes to.
    const expected = ALL_CODES.map((code) => (codec === 'PCMU' && code === 0x7f ? 0xff : code));
    expect(again).toEqual(expected);
  });

  test('every one of the 65 536 samples comes back within half a step of its segment', () => {
    const values = valuesOfAllCodes(codec);
    const codes = codesOf(codec, ALL_SAMPLES);
    const tooFar = ALL_SAMPLES.filter((sample, i) => {
      const code = codes[i] ?? 0;
      const error = Math.abs((values[code] ?? 0) - sample);
      const isClipped = Math.abs(sample) > LARGEST[codec];
      return !isClipped && error > halfStep(codec, code);
    });
    expect([...tooFar]).toEqual([]);
  });

  test('the octet of silence is the code of zero', () => {
    const octet = new Uint8Array(1);
    encodeG711(codec, new Int16Array(1), octet);
    expect(octet[0]).toBe(g711Silence(codec));
  });

  test('encoding writes from the given offset on', () => {
    const octets = new Uint8Array(4).fill(1);
    encodeG711(codec, Int16Array.of(0, 0), octets, 2);
    expect([...octets]).toEqual([1, 1, g711Silence(codec), g711Silence(codec)]);
  });
});

describe.skipIf(!hasSox)('against sox', () => {
  test.each(CODECS)('%s decodes all 256 codes as sox does', (codec) => {
    const theirs = sox(ALL_CODES, ['-e', SOX_ENCODINGS[codec]], ['-e', 'signed', '-b', '16']);
    expect([...valuesOfAllCodes(codec)]).toEqual([...new Int16Array(theirs.buffer, theirs.byteOffset, 256)]);
  });

  test.each(CODECS)(
    '%s encodes all samples as sox does, but for rounding at the borders between two codes',
    (codec) => {
      const theirs = sox(
        new Uint8Array(ALL_SAMPLES.buffer),
        ['-e', 'signed', '-b', '16'],
        ['-e', SOX_ENCODINGS[codec]],
      );
      const ours = codesOf(codec, ALL_SAMPLES);
      const values = valuesOfAllCodes(codec);
      const valueOf = (code = 0): number => values[code] ?? 0; // mu-law has two codes for zero
      // sox first rounds to 14 (mu-law) or 13 (A-law) bits, so near a border it may take the neighbour's code.
      const different = ALL_SAMPLES.filter((_, i) => valueOf(theirs[i]) !== valueOf(ours[i]));
      const unexplained = different.filter((sample) => {
        const around = codesOf(
          codec,
          Int16Array.of(Math.max(-32_768, sample - 8), Math.min(32_767, sample + 8)),
        );
        return !around.includes(theirs[sample + 32_768] ?? 0);
      });
      expect([...unexplained]).toEqual([]);
      expect(different.length).toBeLessThan(65_536 * 0.05);
    },
  );
});
