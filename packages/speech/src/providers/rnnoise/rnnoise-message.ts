/** Messages between the process and the thread that removes noise. */
import type { WorkerFault } from '../../worker-answers.ts';

/** The next piece of a sound. The answer belongs to the one before it: one question at a time. */
export interface NoiseRequest {
  /** Which sound; unique in the process. */
  id: number;
  sampleRateHz: number;
  /** False for a stream that has begun; a thread that was restarted has lost its state. */
  isFirst: boolean;
  /** Mono; may be empty. */
  samples: Int16Array;
  /** Nothing follows: the rest of the audio is returned too. */
  isLast: boolean;
}

/** The next cleaned audio, or the error. */
export type NoiseReply = { samples: Int16Array } | WorkerFault;
