/**
 * Synthetic music for callers who wait: soft broken chords, as plucked notes. So the repository contains no recordings and
 * no work of others.
 */
import { clip, gainOfDb } from './level.ts';

/** The level of the loop; speech is about 6 dB louder. */
const MUSIC_DBFS = -26;
const NOTE_SECONDS = 0.5;
/** Notes fade by a factor of e in this time. */
const DECAY_SECONDS = 0.6;
const ATTACK_SECONDS = 0.01;
/** A note is not computed further than this. */
const RING_SECONDS = 3;
/** MIDI note numbers: C major, A minor, F major, G major, each broken up and down. All pass a telephone (300 to 3400 Hz). */
const CHORDS = [
  [64, 67, 72, 76],
  [64, 69, 72, 76],
  [65, 69, 72, 77],
  [67, 71, 74, 79],
] as const;
const ORDER = [0, 1, 2, 3, 2, 1, 2, 1] as const;
/** Relative loudness of the fundamental and its first overtones. */
const OVERTONES = [1, 0.35, 0.12] as const;

/** A seamless loop of 16 s; mono, in memory that threads can share. */
export function makeHoldMusic(sampleRateHz: number): Int16Array {
  const noteSamples = NOTE_SECONDS * sampleRateHz;
  const notes = CHORDS.flatMap((chord) => ORDER.map((place) => chord[place]));
  const mix = new Float32Array(notes.length * noteSamples);
  for (const [index, note] of notes.entries())
    addNote(mix, { at: index * noteSamples, hz: 440 * 2 ** ((note - 69) / 12), sampleRateHz });
  const rms = Math.sqrt(mix.reduce((sum, sample) => sum + sample * sample, 0) / mix.length);
  const scale = (gainOfDb(MUSIC_DBFS) * 32_768) / rms;
  const loop = new Int16Array(new SharedArrayBuffer(2 * mix.length));
  for (const [n, sample] of mix.entries()) loop[n] = clip(scale * sample);
  return loop;
}

/** A note that rings beyond the end continues at the beginning, so that the loop has no seam. */
function addNote(mix: Float32Array, note: { at: number; hz: number; sampleRateHz: number }): void {
  const { at, hz, sampleRateHz } = note;
  for (let n = 0; n < RING_SECONDS * sampleRateHz; n++) {
    const seconds = n / sampleRateHz;
    const envelope = Math.min(1, seconds / ATTACK_SECONDS) * Math.exp(-seconds / DECAY_SECONDS);
    const place = (at + n) % mix.length;
    mix[place] = (mix[place] ?? 0) + envelope * waveAt(2 * Math.PI * hz * seconds);
  }
}

function waveAt(phase: number): number {
  return OVERTONES.reduce((sum, loudness, order) => sum + loudness * Math.sin((order + 1) * phase), 0);
}
