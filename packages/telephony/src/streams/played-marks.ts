/**
 * When the marks of an agent are due: a mark is echoed once the sound that was sent before it has been played, or when a
 * `clear` drops that sound. Sound is counted by the turns of the media port, because a port reports frames of a dropped turn
 * for a moment after the `clear`.
 */
import type { MediaTick } from '../call-leg.ts';

/** The marks of one stream. Samples are those of the media port. */
export class PlayedMarks {
  #turn = 1;
  /** Samples of the present turn that were given to the port, and that it has sent. */
  #givenSamples = 0;
  #playedSamples = 0;
  #waiting: { name: string; atSamples: number }[] = [];

  /** The turn to be played; a `clear` begins another one. */
  get turn(): number {
    return this.#turn;
  }

  /** How many marks wait. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Samples that were given to the port and not sent by it yet. */
  get queuedSamples(): number {
    return this.#givenSamples - this.#playedSamples;
  }

  give(samples: number): void {
    this.#givenSamples += samples;
  }

  /** @returns whether the mark is due at once: nothing waits to be played before it */
  add(name: string): boolean {
    if (this.queuedSamples === 0 && this.#waiting.length === 0) return true;
    this.#waiting.push({ name, atSamples: this.#givenSamples });
    return false;
  }

  /** A frame was sent. @returns the names that are due, in order */
  tick({ sentTurn, sentSamples }: Pick<MediaTick, 'sentTurn' | 'sentSamples'>): string[] {
    if (sentTurn !== this.#turn || sentSamples === 0) return [];
    this.#playedSamples += sentSamples;
    const left = this.#waiting.findIndex(({ atSamples }) => atSamples > this.#playedSamples);
    const due = this.#waiting.splice(0, left < 0 ? this.#waiting.length : left);
    return due.map(({ name }) => name);
  }

  /** The queue was dropped. @returns the names that waited, in order */
  clear(): string[] {
    this.#turn += 1;
    this.#givenSamples = 0;
    this.#playedSamples = 0;
    return this.#waiting.splice(0).map(({ name }) => name);
  }
}
