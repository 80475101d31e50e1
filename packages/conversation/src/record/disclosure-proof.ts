/** Proof that the disclosure message was spoken: its words as they were sent, and the time of their sound. */
import { countWords } from '../language.rules.ts';
import type { Turn } from './call-record.ts';

/** What was spoken of the message. Times are milliseconds since the answer. */
interface Disclosed {
  text: string;
  startedAtMs: number;
  endedAtMs: number;
  /** All of the message was sent. */
  isComplete: boolean;
}

/** One per conversation. */
export class DisclosureProof {
  readonly #words: number;
  #parts: Turn[] = [];

  /** @param message - as it is spoken, with its variables filled in */
  constructor(message: string) {
    this.#words = countWords(message);
  }

  /**
   * Adds a turn in which the message, or the part that a failed voice had left, was spoken.
   *
   * @returns null while a part is missing that the next turn speaks
   */
  add(turn: Turn): Disclosed | null {
    this.#parts.push(turn);
    const text = this.#parts.map((part) => part.text).join(' ');
    const isComplete = !turn.wasInterrupted && countWords(text) >= this.#words;
    if (!isComplete && !turn.wasInterrupted) return null;
    const startedAtMs = this.#parts[0]?.startedAtMs ?? turn.startedAtMs;
    this.#parts = [];
    return { text, startedAtMs, endedAtMs: turn.endedAtMs, isComplete };
  }
}
