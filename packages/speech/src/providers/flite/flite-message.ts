/** What the Flite thread is told and what it answers. Plain data, so that it crosses the thread boundary. */
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

/** Mono samples at the rate asked for; their buffer is handed over, not copied. */
export type FliteReply = { samples: Int16Array<ArrayBuffer> } | WorkerFault;
