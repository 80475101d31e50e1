/**
 * Short clips that bridge a silence, made ahead because they are needed when a provider is slow. They can be said any
 * number of times, but never the same words twice running.
 */
import type { FillerKind } from '../turn/turn-state.ts';

/** What may be said, by occasion. */
export type FillerWords = Readonly<Record<FillerKind, readonly string[]>>;

interface Clip {
  text: string;
  /** Mono, at the line's rate. */
  samples: Int16Array;
}

/** One per conversation. */
export class FillerClips {
  readonly #words: FillerWords;
  readonly #clips = new Map<string, Clip>();
  #last = '';

  constructor(words: FillerWords) {
    this.#words = words;
  }

  /** All words in the order in which they are most likely needed, each once. */
  wanted(): string[] {
    const { hold, work, neutral, question, positive, negative } = this.#words;
    return [...new Set([...hold, ...work, ...neutral, ...question, ...positive, ...negative])];
  }

  put(text: string, samples: Int16Array): void {
    this.#clips.set(text, { text, samples });
  }

  /** A clip for the occasion, the caller's to keep; null when there is none to be said now. */
  take(kind: FillerKind): Int16Array | null {
    const clip = this.#next(kind) ?? this.#next('hold');
    if (!clip) return null;
    this.#last = clip.text;
    return clip.samples.slice();
  }

  /** The one after the last one said, so that all have their turn. */
  #next(kind: FillerKind): Clip | undefined {
    const words = this.#words[kind];
    const after = words.indexOf(this.#last) + 1;
    const inTurn = [...words.slice(after), ...words.slice(0, after)];
    const made = inTurn.flatMap((text) => this.#clips.get(text) ?? []);
    return made.find(({ text }) => text !== this.#last);
  }
}
