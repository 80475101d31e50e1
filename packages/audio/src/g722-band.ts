/**
 * One band of ITU-T G.722: the inverse quantizer, the adaptation of its step, and the predictor of two poles and six zeros,
 * which encoder and decoder have in common. The names of steps are those of section 6.2 of the Recommendation.
 */

/** Output of the inverse quantizers by code (QQ4, QQ2). */
const LOWER_VALUES = Int16Array.of(
  0,
  -20_456,
  -12_896,
  -8968,
  -6288,
  -4240,
  -2584,
  -1200,
  20_456,
  12_896,
  8968,
  6288,
  4240,
  2584,
  1200,
  0,
);
const HIGHER_VALUES = Int16Array.of(-7408, -1616, 7408, 1616);
/** Logarithmic changes of the step by code (WL by RIL, WH by IH2). */
const LOWER_CHANGES = Int16Array.of(
  -60,
  3042,
  1198,
  538,
  334,
  172,
  58,
  -30,
  3042,
  1198,
  538,
  334,
  172,
  58,
  -30,
  -60,
);
const HIGHER_CHANGES = Int16Array.of(798, -214, 798, -214);
/** 2048 * 2 ** (i / 32): the fraction of the logarithm of the step (ILB). */
const FRACTIONS = Int16Array.of(
  2048,
  2093,
  2139,
  2186,
  2233,
  2282,
  2332,
  2383,
  2435,
  2489,
  2543,
  2599,
  2656,
  2714,
  2774,
  2834,
  2896,
  2960,
  3025,
  3091,
  3158,
  3228,
  3298,
  3371,
  3444,
  3520,
  3597,
  3676,
  3756,
  3838,
  3922,
  4008,
);
const BANDS = {
  lower: { values: LOWER_VALUES, changes: LOWER_CHANGES, largest: 18_432, shift: 8, firstStep: 32 },
  higher: { values: HIGHER_VALUES, changes: HIGHER_CHANGES, largest: 22_528, shift: 10, firstStep: 8 },
};

/** The state of one band. */
export class G722Band {
  readonly #band: (typeof BANDS)['lower'];
  /** DETL, DETH: the step of the quantizer. */
  step: number;
  /** SL, SH: the prediction of the next sample. */
  predicted = 0;
  /** NBL, NBH: the logarithm of the step. */
  #logStep = 0;
  /** SZ: the part of the prediction that the zeros give. */
  #zeroPart = 0;
  /** RLT and PLT of the last two samples. */
  #earlier = 0;
  #beforeEarlier = 0;
  #partial = 0;
  #partialBefore = 0;
  /** AL 1 and 2: the poles. */
  #pole1 = 0;
  #pole2 = 0;
  /** BL: the zeros; DLT: the last six quantized differences, newest first. */
  readonly #zeros = new Int16Array(6);
  readonly #differences = new Int16Array(6);

  constructor(band: keyof typeof BANDS) {
    this.#band = BANDS[band];
    this.step = this.#band.firstStep;
  }

  /**
   * Takes the code of the next difference (four bits of the lower band, two of the higher one) and predicts the sample after it.
   *
   * @returns the difference (INVQAL, INVQAH)
   */
  adapt(code: number): number {
    const difference = (this.step * (this.#band.values[code] ?? 0)) >> 15;
    this.#adaptStep(code);
    this.#predict(difference);
    return difference;
  }

  /** LOGSCL and SCALEL, LOGSCH and SCALEH. */
  #adaptStep(code: number): void {
    const { changes, largest, shift } = this.#band;
    const next = ((this.#logStep * 127) >> 7) + (changes[code] ?? 0);
    this.#logStep = Math.max(0, Math.min(largest, next));
    const fraction = FRACTIONS[(this.#logStep >> 6) & 31] ?? 0;
    const down = shift - (this.#logStep >> 11);
    this.step = (down < 0 ? fraction << -down : fraction >> down) << 2;
  }

  #predict(difference: number): void {
    const reconstructed = saturate(this.predicted + difference); // RECONS
    const partial = saturate(this.#zeroPart + difference); // PARREC
    this.#adaptPoles(partial);
    this.#adaptZeros(difference);
    this.#partialBefore = this.#partial;
    this.#partial = partial;
    this.#beforeEarlier = this.#earlier;
    this.#earlier = reconstructed;
    const polePart = saturate(
      ((this.#pole1 * saturate(2 * this.#earlier)) >> 15) +
        ((this.#pole2 * saturate(2 * this.#beforeEarlier)) >> 15),
    ); // FILTEP
    this.predicted = saturate(polePart + this.#zeroPart); // PREDIC
  }

  /** UPPOL2, then UPPOL1. */
  #adaptPoles(partial: number): void {
    const isLikeLast = partial < 0 === this.#partial < 0;
    const isLikeBefore = partial < 0 === this.#partialBefore < 0;
    const fourfold = saturate(this.#pole1 * 4);
    const change = Math.min(32_767, isLikeLast ? -fourfold : fourfold) >> 7;
    const second = (isLikeBefore ? 128 : -128) + change + ((this.#pole2 * 32_512) >> 15);
    this.#pole2 = Math.max(-12_288, Math.min(12_288, second));
    const first = saturate((isLikeLast ? 192 : -192) + ((this.#pole1 * 32_640) >> 15));
    const bound = saturate(15_360 - this.#pole2);
    this.#pole1 = Math.max(-bound, Math.min(bound, first));
  }

  /** UPZERO and FILTEZ, with the shift of DELAYA. */
  #adaptZeros(difference: number): void {
    const zeros = this.#zeros;
    const differences = this.#differences;
    const size = difference === 0 ? 0 : 128;
    for (let i = 0; i < 6; i++) {
      const isLike = (differences[i] ?? 0) < 0 === difference < 0;
      zeros[i] = saturate((isLike ? size : -size) + (((zeros[i] ?? 0) * 32_640) >> 15));
    }
    differences.copyWithin(1, 0);
    differences[0] = difference;
    let sum = 0;
    for (let i = 5; i >= 0; i--) sum += ((zeros[i] ?? 0) * saturate(2 * (differences[i] ?? 0))) >> 15;
    this.#zeroPart = saturate(sum);
  }
}

/** Limits a value to 16 bits. */
export function saturate(value: number): number {
  return value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value;
}
