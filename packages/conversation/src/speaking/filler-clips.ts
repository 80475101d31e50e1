/**
 * Short clips that bridge a silence. They are synthesised in advance, because they are needed when a provider is slow. A
 * clip can be played any number of times, but never twice in a row.
 */
import type { FillerKind } from '../turn/turn-state.ts';

/** The texts of fillers, by purpose. */
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

  /** All texts, the most likely ones first, each once. */
  wanted(): string[] {
    const { hold, work, neutral, question, positive, negative } = this.#words;
    return [...new Set([...hold, ...work, ...neutral, ...question, ...positive, ...negative])];
  }

  put(text: string, samples: Int16Array): void {
    this.#clips.set(text, { text, samples });
  }

  /** A copy of a suitable clip; null if none is available now. */
  take(kind: FillerKind): Int16Array | null {
    const clip = this.#next(kind) ?? this.#next('hold');
    if (!clip) return null;
    this.#last = clip.text;
    return clip.samples.slice();
  }

  /** The clip after the last one that was played, so that all are used in turn. */
  #next(kind: FillerKind): Clip | undefined {
    const words = this.#words[kind];
    const after = words.indexOf(this.#last) + 1;
    const inTurn = [...words.slice(after), ...words.slice(0, after)];
    const made = inTurn.flatMap((text) => this.#clips.get(text) ?? []);
    return made.find(({ text }) => text !== this.#last);
  }
}
