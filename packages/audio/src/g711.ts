/**
 * ITU-T G.711: the two companding laws between 16-bit samples and the octets of the telephone network, by table. The value
 * of a code is the middle of the interval of samples that are encoded to it.
 */

/** PCMU is mu-law (North America, Japan), PCMA is A-law (elsewhere); names as in RFC 3551. */
export type G711Codec = 'PCMU' | 'PCMA';

/**
 * Decodes octets to samples.
 *
 * @param output - at least as long as `octets`
 */
export function decodeG711(codec: G711Codec, octets: Uint8Array, output: Int16Array): void {
  const table = codec === 'PCMU' ? MU_LAW_VALUES : A_LAW_VALUES;
  // The table has all 256 entries; the fallback only satisfies the type checker.
  for (let i = 0; i < octets.length; i++) output[i] = table[octets[i] ?? 0] ?? 0;
}

/**
 * Encodes samples to octets.
 *
 * @param output - receives one octet per sample from `offset` on
 */
export function encodeG711(codec: G711Codec, samples: Int16Array, output: Uint8Array, offset = 0): void {
  const table = codec === 'PCMU' ? MU_LAW_CODES : A_LAW_CODES;
  for (let i = 0; i < samples.length; i++) output[offset + i] = table[(samples[i] ?? 0) & 0xff_ff] ?? 0;
}

/** The octet of silence: the code of sample 0. */
export function g711Silence(codec: G711Codec): number {
  return codec === 'PCMU' ? 0xff : 0xd5;
}

/*
 * One code octet, before the inversion the network applies (all bits in mu-law, every second in A-law):
 *
 *    7   6 5 4     3 2 1 0
 *  +---+-------+---------+
 *  | S |segment| mantissa|     S = 1 means positive
 *  +---+-------+---------+
 */

/** Added to a mu-law magnitude so that every segment starts at a power of two; 16-bit scale. */
const MU_LAW_BIAS = 132;
const MU_LAW_CLIP = 32_767 - MU_LAW_BIAS;

function muLawValue(octet: number): number {
  const code = ~octet & 0xff;
  const magnitude = ((((code & 0x0f) << 3) + MU_LAW_BIAS) << ((code >> 4) & 7)) - MU_LAW_BIAS;
  return code & 0x80 ? -magnitude : magnitude;
}

function muLawCode(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const biased = Math.min(Math.abs(sample), MU_LAW_CLIP) + MU_LAW_BIAS;
  const segment = 24 - Math.clz32(biased); // 132 has its top bit at 7, which is segment 0
  return ~(sign | (segment << 4) | ((biased >> (segment + 3)) & 0x0f)) & 0xff;
}

function aLawValue(octet: number): number {
  const code = octet ^ 0x55;
  const segment = (code >> 4) & 7;
  const base = ((code & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? base : (base + 256) << (segment - 1);
  return code & 0x80 ? magnitude : -magnitude;
}

function aLawCode(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  const magnitude = sample < 0 ? ~sample : sample; // A-law has no code for zero: -1 and 0 are equally close to it
  const segment = Math.max(0, 24 - Math.clz32(magnitude)); // 256 has its top bit at 8, which is segment 1
  const mantissa = (magnitude >> (segment === 0 ? 4 : segment + 3)) & 0x0f;
  return (sign | (segment << 4) | mantissa) ^ 0x55;
}

/** Value of every code, index 0 to 255. */
const MU_LAW_VALUES = Int16Array.from({ length: 256 }, (_, octet) => muLawValue(octet));
const A_LAW_VALUES = Int16Array.from({ length: 256 }, (_, octet) => aLawValue(octet));

/** Code of every sample; the index is the sample as an unsigned 16-bit number. */
const MU_LAW_CODES = codesOfAllSamples(muLawCode);
const A_LAW_CODES = codesOfAllSamples(aLawCode);

function codesOfAllSamples(code: (sample: number) => number): Uint8Array {
  const table = new Uint8Array(65_536);
  for (let sample = -32_768; sample < 32_768; sample++) table[sample & 0xff_ff] = code(sample);
  return table;
}
