/**
 * The part of an utterance that holds the speech: what was pushed begins with whatever the line carried before the
 * caller spoke, and a recogniser of phrases takes every sound for a word.
 */
import { clip, peak, SILENCE_DBFS, rmsDbfs } from '@parley/audio';

/** 20 ms at 16 000 Hz. */
const FRAME_SAMPLES = 320;
/** So far below the loudest frame a frame still belongs to speech, decibels. */
const RANGE_DB = 30;
/** Kept before the first and after the last such frame. */
const MARGIN_MS = 300;
const SAMPLES_PER_MS = 16;
/** A peak below this is no speech at all. */
const FAINTEST_PEAK = 150;
/** Half the width of the noise added, in steps of 16 bits: about -65 dBFS, as a quiet telephone line has it. */
const FLOOR_AMPLITUDE = 30;

/** @returns a part of `samples` (16 000 Hz), empty when there is nothing but noise of the line */
export function speechSpan(samples: Int16Array, marginMs = MARGIN_MS): Int16Array {
  if (peak(samples) < FAINTEST_PEAK) return samples.subarray(0, 0);
  const levels = Array.from({ length: Math.floor(samples.length / FRAME_SAMPLES) }, (_, frame) =>
    rmsDbfs(samples.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES)),
  );
  const threshold = levels.reduce((loudest, level) => Math.max(loudest, level), SILENCE_DBFS) - RANGE_DB;
  const first = levels.findIndex((level) => level >= threshold);
  const last = levels.findLastIndex((level) => level >= threshold);
  const from = Math.max(0, first * FRAME_SAMPLES - marginMs * SAMPLES_PER_MS);
  return samples.subarray(from, (last + 1) * FRAME_SAMPLES + marginMs * SAMPLES_PER_MS);
}

/**
 * With a little noise under it. The model was trained on microphones; digital silence between words, as codecs and
 * synthetic voices make it, costs it a third of the phrases (measured). The same sound always gets the same noise.
 */
export function withNoiseFloor(samples: Int16Array): Int16Array {
  let seed = 1;
  return samples.map((sample) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return clip(sample + (seed / 2 ** 31 - 1) * FLOOR_AMPLITUDE);
  });
}
