/** What crosses between the process and the thread in which noise is taken out of sounds. */
import type { WorkerFault } from '../../worker-answers.ts';

/** The next piece of a sound. The answer belongs to the one before it: one question at a time. */
export interface NoiseRequest {
  /** Which sound; unique in the process. */
  id: number;
  sampleRateHz: number;
  /** False for a sound that the thread must know already: one that was started anew has forgotten it. */
  isFirst: boolean;
  /** Mono; may be empty. */
  samples: Int16Array;
  /** Nothing follows: what is still inside is wanted too. */
  isLast: boolean;
}

/** The sound so far without noise, as far as it was not answered yet; or why there is none. */
export type NoiseReply = { samples: Int16Array } | WorkerFault;
