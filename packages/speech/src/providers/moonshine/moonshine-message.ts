/** Messages to and from the Moonshine thread. Plain data that can be cloned between threads. */
import type { WorkerFault } from '../../worker-answers.ts';

/** One utterance. */
export interface MoonshineRequest {
  /** Mono, 16 000 Hz, -1 to 1. */
  samples: Float32Array;
  /** The answers that the dialogue expects; none for free text. */
  phrases: readonly string[];
}

/** A text and the natural logarithm of its probability, the end of the text included. */
export interface ScoredText {
  text: string;
  logProbability: number;
}

/** The most probable text, and those expected phrases that could be chosen instead. */
export interface MoonshineResult {
  free: ScoredText;
  phrases: readonly ScoredText[];
}

/** What the thread answers to one {@link MoonshineRequest}. */
export type MoonshineReply = MoonshineResult | WorkerFault;
