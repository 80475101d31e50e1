/** Messages to and from the Silero thread. Plain data that can be cloned between threads. */

import type { WorkerFault } from '../../worker-answers.ts';

/** Samples of one window at 16 000 Hz: 32 ms. The model accepts no other length. */
export const SILERO_WINDOW_SAMPLES = 512;

/** Windows of any number of streams, in the order in which they came; a stream may have several. */
export interface SileroBatch {
  /** The stream of each window. */
  streamIds: readonly number[];
  /** Mono Int16 at 16 000 Hz, {@link SILERO_WINDOW_SAMPLES} for each of `streamIds`, one after the other. */
  windows: Int16Array;
  /** Streams that were closed since the last batch; their state can be deleted. */
  closedIds: readonly number[];
}

/** One speech probability (0 to 1) for each window. */
export type SileroReply = { probabilities: Float32Array } | WorkerFault;
