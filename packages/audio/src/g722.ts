/**
 * ITU-T G.722 at 64 kbit/s (mode 1): sound of 16 000 Hz as two bands, each by ADPCM. An octet holds two samples: six bits of the
 * lower band (0 to 4 kHz) and two of the higher one.
 *
 *    7 6 5 4 3 2 1 0
 *   +---+-----------+
 *   |IH |    IL     |
 *   +---+-----------+
 *
 * The arithmetic is that of the Recommendation, on 16-bit integers, so that every octet and sample equals that of any other
 * conforming implementation. The names of steps (QUANTL, SCALEL, UPPOL2, …) are those of its section 6.2.
 */
import { G722Band, saturate } from './g722-band.ts';

/** Coefficients of the quadrature mirror filter, half of a symmetric 24-tap filter (table 11). */
const QMF = Int16Array.of(3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11);
const QMF_TAPS = 24;

/** Decision levels of the 6-bit quantizer (table 14, Q6), and the codes for negative and positive differences (ILN, ILP). */
const LOWER_LEVELS = Int16Array.of(
  0,
  35,
  72,
  110,
  150,
  190,
  233,
  276,
  323,
  370,
  422,
  473,
  530,
  587,
  650,
  714,
  786,
  858,
  940,
  1023,
  1121,
  1219,
  1339,
  1458,
  1612,
  1765,
  1980,
  2195,
  2557,
  2919,
);
const LOWER_NEGATIVE = Uint8Array.of(
  0,
  63,
  62,
  31,
  30,
  29,
  28,
  27,
  26,
  25,
  24,
  23,
  22,
  21,
  20,
  19,
  18,
  17,
  16,
  15,
  14,
  13,
  12,
  11,
  10,
  9,
  8,
  7,
  6,
  5,
  4,
);
const LOWER_POSITIVE = Uint8Array.of(
  0,
  61,
  60,
  59,
  58,
  57,
  56,
  55,
  54,
  53,
  52,
  51,
  50,
  49,
  48,
  47,
  46,
  45,
  44,
  43,
  42,
  41,
  40,
  39,
  38,
  37,
  36,
  35,
  34,
  33,
  32,
);
/** Output of the inverse 6-bit quantizer by code (QQ6). */
const LOWER_VALUES = Int16Array.of(
  -136,
  -136,
  -136,
  -136,
  -24_808,
  -21_904,
  -19_008,
  -16_704,
  -14_984,
  -13_512,
  -12_280,
  -11_192,
  -10_232,
  -9360,
  -8576,
  -7856,
  -7192,
  -6576,
  -6000,
  -5456,
  -4944,
  -4464,
  -4008,
  -3576,
  -3168,
  -2776,
  -2400,
  -2032,
  -1688,
  -1360,
  -1040,
  -728,
  24_808,
  21_904,
  19_008,
  16_704,
  14_984,
  13_512,
  12_280,
  11_192,
  10_232,
  9360,
  8576,
  7856,
  7192,
  6576,
  6000,
  5456,
  4944,
  4464,
  4008,
  3576,
  3168,
  2776,
  2400,
  2032,
  1688,
  1360,
  1040,
  728,
  432,
  136,
  -432,
  -136,
);
/** The decision level of the 2-bit quantizer. */
const HIGHER_LEVEL = 564;

/** Octets that are processed at a time: 20 ms. */
const CHUNK_OCTETS = 160;
/** The samples before a chunk that the filter needs. */
const KEPT = QMF_TAPS - 2;

/** Encodes one stream. */
export class G722Encoder {
  readonly #lower = new G722Band('lower');
  readonly #higher = new G722Band('higher');
  /** The samples before the chunk, then the chunk. */
  readonly #window = new Int16Array(KEPT + 2 * CHUNK_OCTETS);

  /**
   * Encodes an even number of samples of 16 000 Hz to half as many octets, from `offset` of `output` on.
   *
   * @returns the number of octets
   */
  encode(samples: Int16Array, output: Uint8Array, offset = 0): number {
    const octets = samples.length >> 1;
    for (let at = 0; at < octets; at += CHUNK_OCTETS) {
      const chunk = samples.subarray(2 * at, 2 * Math.min(octets, at + CHUNK_OCTETS));
      this.#encodeChunk(chunk, output, offset + at);
    }
    return octets;
  }

  #encodeChunk(samples: Int16Array, output: Uint8Array, offset: number): void {
    const window = this.#window;
    window.set(samples, KEPT);
    for (let i = 0; i < samples.length; i += 2) {
      const even = filterEven(window, i);
      const odd = filterOdd(window, i);
      const low = this.#encodeLower((odd + even) >> 14);
      output[offset + (i >> 1)] = (this.#encodeHigher((odd - even) >> 14) << 6) | low;
    }
    window.copyWithin(0, samples.length, samples.length + KEPT);
  }

  /** SUBTRA and QUANTL. */
  #encodeLower(sample: number): number {
    const band = this.#lower;
    const difference = saturate(sample - band.predicted);
    const magnitude = difference >= 0 ? difference : -(difference + 1);
    let level = 1;
    while (level < 30 && magnitude >= ((LOWER_LEVELS[level] ?? 0) * band.step) >> 12) level++;
    const code = (difference < 0 ? LOWER_NEGATIVE : LOWER_POSITIVE)[level] ?? 0;
    band.adapt(code >> 2);
    return code;
  }

  /** SUBTRA and QUANTH. */
  #encodeHigher(sample: number): number {
    const band = this.#higher;
    const difference = saturate(sample - band.predicted);
    const magnitude = difference >= 0 ? difference : -(difference + 1);
    const isLarge = magnitude >= (HIGHER_LEVEL * band.step) >> 12;
    const code = difference < 0 ? (isLarge ? 0 : 1) : isLarge ? 2 : 3;
    band.adapt(code);
    return code;
  }
}

/** Decodes one stream. Every octet is valid, so that nothing that a far end sends is refused. */
export class G722Decoder {
  readonly #lower = new G722Band('lower');
  readonly #higher = new G722Band('higher');
  readonly #window = new Int16Array(KEPT + 2 * CHUNK_OCTETS);

  /**
   * Decodes octets to twice as many samples of 16 000 Hz.
   *
   * @returns the number of samples
   */
  decode(octets: Uint8Array, output: Int16Array): number {
    for (let at = 0; at < octets.length; at += CHUNK_OCTETS)
      this.#decodeChunk(octets.subarray(at, at + CHUNK_OCTETS), output, 2 * at);
    return octets.length * 2;
  }

  #decodeChunk(octets: Uint8Array, output: Int16Array, offset: number): void {
    const window = this.#window;
    for (let i = 0; i < octets.length; i++) {
      const octet = octets[i] ?? 0;
      const low = this.#decodeLower(octet & 0x3f);
      const high = this.#decodeHigher(octet >> 6);
      window[KEPT + 2 * i] = low + high;
      window[KEPT + 2 * i + 1] = low - high;
      output[offset + 2 * i] = saturate(filterOdd(window, 2 * i) >> 11);
      output[offset + 2 * i + 1] = saturate(filterEven(window, 2 * i) >> 11);
    }
    window.copyWithin(0, 2 * octets.length, 2 * octets.length + KEPT);
  }

  /** INVQBL with all six bits, RECONS and LIMIT; the predictor adapts with four bits, as in the other modes. */
  #decodeLower(code: number): number {
    const band = this.#lower;
    const sample = limit(band.predicted + ((band.step * (LOWER_VALUES[code] ?? 0)) >> 15));
    band.adapt(code >> 2);
    return sample;
  }

  #decodeHigher(code: number): number {
    const band = this.#higher;
    const predicted = band.predicted;
    return limit(predicted + band.adapt(code));
  }
}

function filterEven(window: Int16Array, from: number): number {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (window[from + 2 * i] ?? 0) * (QMF[i] ?? 0);
  return sum;
}

function filterOdd(window: Int16Array, from: number): number {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (window[from + 2 * i + 1] ?? 0) * (QMF[11 - i] ?? 0);
  return sum;
}

/** LIMIT: 15 bits. */
function limit(value: number): number {
  return value > 16_383 ? 16_383 : value < -16_384 ? -16_384 : value;
}
