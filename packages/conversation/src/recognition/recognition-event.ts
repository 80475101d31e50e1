/** What the caller's audio tells the turn-taking rules. Times are milliseconds of call audio, 0 at the answer. */
import type { DetectorWindow } from './caller-activity.rules.ts';

/** One result of the voice activity detector or of the recogniser. */
export type RecognitionEvent =
  | ({ type: 'voice.analysed' } & DetectorWindow)
  | { type: 'words.guessed'; text: string }
  /**
   * `endMs`: where the words end in the call audio, null if the recogniser does not report it. `isOverdue`: the
   * recogniser did not answer in time, and these are the words known without its final result.
   */
  | { type: 'words.recognised'; text: string; endMs: number | null; isOverdue?: boolean }
  | { type: 'recogniser.failed' }
  /** The recogniser has heard no further word for about a second, whatever the detector reports. */
  | { type: 'words.ended' }
  /**
   * How likely a semantic recogniser thinks that the caller has finished, 0 to 1; 0: the caller continues. `isDefinite`: the
   * recogniser has ended the turn, so what follows belongs to another one.
   */
  | { type: 'turn-end.judged'; confidence: number; isDefinite: boolean };
