/** Finds dead air: the intervals of a call in which all parties were silent. */
import { rmsDbfs } from '@parley/audio';
import { MURMUR_DBFS } from './sound-meter.ts';

/** Resolution of the result. */
const WINDOW_MS = 20;

/** An interval of a call, milliseconds from its answer. */
export interface Stretch {
  fromMs: number;
  toMs: number;
}

/**
 * The intervals in which no track was above the noise threshold, in order.
 *
 * @param tracks - mono at one sample rate with the same start; a track is silent after its end
 */
export function silencesOf(tracks: readonly Int16Array[], sampleRateHz: number): Stretch[] {
  const windowSamples = (sampleRateHz * WINDOW_MS) / 1000;
  const count = Math.floor(Math.max(0, ...tracks.map(({ length }) => length)) / windowSamples);
  const silences: Stretch[] = [];
  for (let window = 0; window < count; window++) {
    const from = window * windowSamples;
    if (tracks.some((track) => rmsDbfs(track.subarray(from, from + windowSamples)) >= MURMUR_DBFS)) continue;
    const last = silences.at(-1);
    const fromMs = window * WINDOW_MS;
    if (last?.toMs === fromMs) last.toMs += WINDOW_MS;
    else silences.push({ fromMs, toMs: fromMs + WINDOW_MS });
  }
  return silences;
}

/** The length of the longest interval, milliseconds; 0 without any. */
export function longestOf(stretches: readonly Stretch[]): number {
  return Math.max(0, ...stretches.map(({ fromMs, toMs }) => toMs - fromMs));
}
