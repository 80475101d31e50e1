/** What two people on a line heard of each other, measured on both tracks of a call. */
import { rmsDbfs } from '@parley/audio';
import { silencesOf } from '@parley/phones';

/** A shorter pause is part of the sound. */
const PAUSE_MS = 100;

/** Sound without a pause, milliseconds from the start of the tracks. */
export interface Sound {
  fromMs: number;
  toMs: number;
}

/** Both tracks of a call as one of its sides heard them, aligned, mono at one rate. */
export interface TwoTracks {
  /** The sound of the person on the telephone. */
  person: Int16Array;
  assistant: Int16Array;
  sampleRateHz: number;
}

/** The sounds of a track, in order. */
export function soundsOf(track: Int16Array, sampleRateHz: number): Sound[] {
  const endMs = (track.length * 1000) / sampleRateHz;
  const pauses = silencesOf([track], sampleRateHz).filter(({ fromMs, toMs }) => toMs - fromMs >= PAUSE_MS);
  const starts = [0, ...pauses.map(({ toMs }) => toMs)];
  const ends = [...pauses.map(({ fromMs }) => fromMs), endMs];
  const sounds = starts.map((fromMs, at) => ({ fromMs, toMs: ends[at] ?? endMs }));
  return sounds.filter(({ fromMs, toMs }) => toMs > fromMs);
}

/** The level of a part of a track, decibels relative to full scale. */
export function levelOf({ assistant, sampleRateHz }: TwoTracks, { fromMs, toMs }: Sound): number {
  const sampleAt = (ms: number): number => Math.round((ms * sampleRateHz) / 1000);
  return rmsDbfs(assistant.subarray(sampleAt(fromMs), sampleAt(toMs)));
}

/** How long a sound overlaps any of others. */
export function overlapMs(sound: Sound, others: readonly Sound[]): number {
  return others.reduce(
    (sum, other) =>
      sum + Math.max(0, Math.min(sound.toMs, other.toMs) - Math.max(sound.fromMs, other.fromMs)),
    0,
  );
}
