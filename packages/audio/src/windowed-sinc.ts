/** The impulse response of a steep low-pass filter: a Kaiser-windowed sinc. All rate conversion uses it. */

/** Shape of the window; 8 gives a stop-band attenuation of about 80 dB. */
const KAISER_BETA = 8;

/**
 * The weight of a sample.
 *
 * @param distance - from the centre, in samples
 * @param shape - `cutoff`: end of the band as a share of half the rate; `width`: where the window ends, in samples
 */
export function windowedSinc(distance: number, shape: { cutoff: number; width: number }): number {
  return sinc(shape.cutoff * distance) * kaiser(distance / shape.width);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Kaiser window over -1 to 1. */
function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : besselI0(KAISER_BETA * Math.sqrt(1 - x * x)) / besselI0(KAISER_BETA);
}

/** Modified Bessel function of the first kind, order 0, by its power series. */
function besselI0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
