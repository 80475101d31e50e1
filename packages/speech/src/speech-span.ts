/**
 * The part of an utterance that contains the speech, for recognisers that process whole utterances. The audio since the
 * previous utterance also contains the pause before the speech, which costs time to send and process, and in which such
 * recognisers invent words.
 */
import { peak, SILENCE_DBFS, rmsDbfs } from '@parley/audio';

/** 20 ms at 16 000 Hz. */
const FRAME_SAMPLES = 320;
/** A frame belongs to the speech if its level is at most this far below the loudest frame, decibels. */
const RANGE_DB = 30;
const SAMPLES_PER_MS = 16;
/** Audio with a lower peak contains no speech. */
const FAINTEST_PEAK = 150;

/**
 * @param marginMs - kept before and after the speech
 * @returns a part of `samples` (16 000 Hz), empty if they contain only line noise
 */
export function speechSpan(samples: Int16Array, marginMs: number): Int16Array {
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
