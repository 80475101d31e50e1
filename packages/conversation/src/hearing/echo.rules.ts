/**
 * How much of what is heard is what was sent: the share of the energy that the best delayed and scaled copy of our own
 * sound explains. A speakerphone gives nearly one, another voice little, both at once something between.
 */

/** Below this the stretch holds no sound to compare, root mean square of 16-bit samples. */
const FAINTEST_RMS = 8;

/**
 * @param heard - a stretch of the far end
 * @param sent - of ours: the same stretch and all that could have come back in it, so longer; it ends with `heard`
 * @returns 0 to 1
 */
export function echoShare(heard: Float32Array, sent: Float32Array): number {
  const heardEnergy = energyOf(heard, 0, heard.length);
  if (heardEnergy < heard.length * FAINTEST_RMS ** 2) return 0;
  const lags = sent.length - heard.length;
  let sentEnergy = energyOf(sent, 0, heard.length);
  let best = 0;
  for (let start = 0; start <= lags; start++) {
    if (sentEnergy >= heard.length * FAINTEST_RMS ** 2) {
      const product = productOf(heard, sent, start);
      best = Math.max(best, product ** 2 / (heardEnergy * sentEnergy));
    }
    sentEnergy += (sent[start + heard.length] ?? 0) ** 2 - (sent[start] ?? 0) ** 2;
  }
  return Math.min(1, best);
}

function productOf(heard: Float32Array, sent: Float32Array, start: number): number {
  let sum = 0;
  for (let n = 0; n < heard.length; n++) sum += (heard[n] ?? 0) * (sent[start + n] ?? 0);
  return sum;
}

function energyOf(samples: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let n = from; n < to; n++) sum += (samples[n] ?? 0) ** 2;
  return sum;
}
