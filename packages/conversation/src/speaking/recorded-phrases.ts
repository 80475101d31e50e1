/**
 * Recordings of fixed sentences, which are played instead of the voice. A recording may be of several sentences; they are
 * then spoken as one chunk.
 */
import { comparableText } from '@parley/script';

/** What voice supplies: the recorded texts, and their sounds. */
export interface PhraseRecordings {
  readonly texts: readonly string[];
  /** Mono, at that rate; a copy of the caller's own. Null when the recording is gone or cannot be read now. */
  soundOf(text: string, sampleRateHz: number): Promise<Int16Array | null>;
}

/** One per conversation. */
export class RecordedPhrases {
  readonly #recordings: PhraseRecordings | undefined;
  /** The text as it was recorded, by its comparable form. */
  readonly #texts: ReadonlyMap<string, string>;

  constructor(recordings?: PhraseRecordings) {
    this.#recordings = recordings;
    const texts = recordings?.texts ?? [];
    this.#texts = new Map(texts.map((text): [string, string] => [comparableText(text), text]));
  }

  has(text: string): boolean {
    return this.#texts.size > 0 && this.#texts.has(comparableText(text));
  }

  /** Null for a text without a recording. */
  async soundOf(text: string, sampleRateHz: number): Promise<Int16Array | null> {
    const recorded = this.#texts.size > 0 ? this.#texts.get(comparableText(text)) : undefined;
    return recorded === undefined
      ? null
      : ((await this.#recordings?.soundOf(recorded, sampleRateHz)) ?? null);
  }

  /** Joins chunks that are recorded together. */
  joined(chunks: readonly string[]): string[] {
    const state = { waiting: [...chunks] };
    return this.#take(state, true);
  }

  /** The same for chunks that still arrive. A chunk waits for the next one only where a recording begins with it. */
  async *join(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
    const state: { waiting: string[] } = { waiting: [] };
    for await (const chunk of chunks) {
      state.waiting.push(chunk);
      yield* this.#take(state, false);
    }
    yield* this.#take(state, true);
  }

  /** Removes and returns the chunks that can be spoken now. */
  #take(state: { waiting: string[] }, isComplete: boolean): string[] {
    const ready: string[] = [];
    while (state.waiting.length > 0) {
      if (!isComplete && this.#isBeginning(state.waiting)) break;
      const count = this.#longestRecorded(state.waiting);
      ready.push(state.waiting.splice(0, count).join(' '));
    }
    return ready;
  }

  /** Whether a longer recorded text begins with all of these chunks. */
  #isBeginning(chunks: readonly string[]): boolean {
    if (this.#texts.size === 0) return false;
    const beginning = `${comparableText(chunks.join(' '))} `;
    return [...this.#texts.keys()].some((text) => text.startsWith(beginning));
  }

  /** How many chunks from the first on are one recording; 1 if there is none. */
  #longestRecorded(chunks: readonly string[]): number {
    for (let count = chunks.length; count > 1; count--)
      if (this.has(chunks.slice(0, count).join(' '))) return count;
    return 1;
  }
}
