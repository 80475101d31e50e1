/**
 * The part of an utterance that contains the speech, for recognisers that process whole utterances. The audio since the
 * previous utterance also contains the pause before the speech, which costs time to send and process, and in which such
 * recognisers invent words, and any other sound that was to be heard meanwhile: a door, keys, the voice of a television.
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
 * What precedes the onset that the detector has found belongs to the speech if there is no pause between them, so that words
 * of which the detector was not sure are kept. A frame so far below the loudest frame of the speech is a pause, decibels.
 */
const ONSET_RANGE_DB = 18;
/** Frames of such a pause: half a second. */
const ONSET_PAUSE_FRAMES = 25;

/**
 * @param marginMs - kept before and after the speech
 * @param onset - the sample at which a detector found the speech; default: the first
 * @returns a part of `samples` (16 000 Hz), empty if they contain only line noise
 */
export function speechSpan(samples: Int16Array, marginMs: number, onset = 0): Int16Array {
  if (peak(samples.subarray(onset)) < FAINTEST_PEAK) return samples.subarray(0, 0);
  const levels = Array.from({ length: Math.floor(samples.length / FRAME_SAMPLES) }, (_, frame) =>
    rmsDbfs(samples.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES)),
  );
  const onsetFrame = Math.floor(onset / FRAME_SAMPLES);
  const loudest = levels.slice(onsetFrame).reduce((high, level) => Math.max(high, level), SILENCE_DBFS);
  const threshold = loudest - RANGE_DB;
  const start = withoutPause(levels, onsetFrame, loudest - ONSET_RANGE_DB);
  const first = levels.findIndex((level, frame) => frame >= start && level >= threshold);
  const last = levels.findLastIndex((level) => level >= threshold);
  const from = Math.max(0, first * FRAME_SAMPLES - marginMs * SAMPLES_PER_MS);
  return samples.subarray(from, (last + 1) * FRAME_SAMPLES + marginMs * SAMPLES_PER_MS);
}

/** @returns the first frame after the last pause before `onset`; `onset` itself if the pause lasts until then */
function withoutPause(levels: readonly number[], onset: number, pauseDb: number): number {
  let start = onset;
  for (let frame = onset - 1; frame >= 0 && start - frame <= ONSET_PAUSE_FRAMES; frame--)
    if ((levels[frame] ?? SILENCE_DBFS) >= pauseDb) start = frame;
  return start;
}
