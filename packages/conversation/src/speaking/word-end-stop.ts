/**
 * Stops the assistant at the end of the word that is sounding, if that is near. One frame of the line passes at each tick, so
 * that a stop is never late by more than {@link LONGEST_FRAMES}, even if the line sends nothing.
 */
import type { SpokenTurn } from '../record/call-record.ts';
import { samplesToWordEnd } from '../record/heard-text.rules.ts';

/** 40 ms: what goal P4 leaves between a decision and silence (docs/decisions/word-times.md). */
const LONGEST_FRAMES = 2;

interface Stop {
  framesLeft: number;
  run: () => void;
}

/** One per conversation. At most one stop waits. */
export class WordEndStop {
  readonly #frameSamples: number;
  #waiting: Stop | null = null;

  constructor({ frameSamples }: { frameSamples: number }) {
    this.#frameSamples = frameSamples;
  }

  /**
   * Runs the stop at the end of the word, rounded to whole frames, or at once. One that waits already is dropped.
   *
   * @param spoken - the turn that sounds; null for none
   */
  schedule(spoken: SpokenTurn | null, run: () => void): void {
    this.#waiting = null;
    const samples = spoken ? samplesToWordEnd(spoken.chunks, spoken.sentSamples) : 0;
    const frames = Math.round(samples / this.#frameSamples);
    if (frames < 1 || frames > LONGEST_FRAMES) run();
    else this.#waiting = { framesLeft: frames, run };
  }

  /** One frame was sent. */
  tick(): void {
    if (!this.#waiting) return;
    this.#waiting.framesLeft -= 1;
    if (this.#waiting.framesLeft <= 0) this.runNow();
  }

  /** Stops in the middle of the word: something else must happen first. */
  runNow(): void {
    const { run } = this.#waiting ?? {};
    this.#waiting = null;
    run?.();
  }

  /** The assistant continues. */
  drop(): void {
    this.#waiting = null;
  }
}
