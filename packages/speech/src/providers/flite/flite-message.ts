/** Messages to and from the Flite thread. Plain data that can be cloned between threads. */
import type { WorkerFault } from '../../worker-answers.ts';
import type { FliteVoice } from './flite-engine.ts';

/** One text to speak. Requests are answered in order. */
export interface FliteRequest {
  text: string;
  voice: FliteVoice;
  /** 1 is normal. */
  speed: number;
  sampleRateHz: number;
}

/** Mono samples at the requested rate; their buffer is transferred, not copied. */
export type FliteReply = { samples: Int16Array<ArrayBuffer> } | WorkerFault;
