/**
 * How much of the received audio is echo of the sent audio: the share of energy that the best delayed and scaled copy of
 * our own audio explains. A speakerphone gives nearly 1, another voice little, both together a value in between.
 */

/** Fainter audio is not compared; root mean square of 16-bit samples. */
const FAINTEST_RMS = 8;

/**
 * @param heard - audio from the far end
 * @param sent - our own audio for the same period, preceded by what could have come back in it; both end together
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
