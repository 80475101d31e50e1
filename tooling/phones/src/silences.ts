/** Where a call was silent, from the sound of all who were on it: what a caller would call dead air. */
import { rmsDbfs } from '@parley/audio';
import { MURMUR_DBFS } from './sound-meter.ts';

/** Resolution of all that is found here. */
const WINDOW_MS = 20;

/** Part of a call, milliseconds from its answer. */
export interface Stretch {
  fromMs: number;
  toMs: number;
}

/**
 * The stretches in which nobody was louder than a murmur, in order.
 *
 * @param tracks - mono at one rate, all from the same instant on; beyond its end a track is silent
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

/** How long the longest of them is, milliseconds; 0 for none. */
export function longestOf(stretches: readonly Stretch[]): number {
  return Math.max(0, ...stretches.map(({ fromMs, toMs }) => toMs - fromMs));
}
