/** A scripted dialogue as data, as parsed by `parse-script.rules.ts`. docs/scripted-dialogue.md explains the text format. */

/** An answer that leads to another state. */
export interface Answer {
  /** As written; compared without case and punctuation. */
  phrases: readonly string[];
  /** Keys 0-9 * #. */
  keys: readonly string[];
  /** Matches any words, if the recogniser is not limited to fixed phrases. */
  takesAnything: boolean;
  /** The name of the next state. */
  next: string;
  /** Values to store with this answer; `{said}` stands for the phrase or key. */
  notes: Readonly<Record<string, string>>;
}

/** One state of the dialogue: what is spoken and which answers are possible. A state without answers ends the call. */
export interface ScriptState {
  say: string;
  /** Spoken if the answer was not understood; null for an apology followed by {@link say}. */
  again: string | null;
  answers: readonly Answer[];
  /** How often the question is repeated before {@link otherwise} applies. */
  tries: number;
  /** The next state if nothing was understood; null for an apology and the end of the call. */
  otherwise: string | null;
}

/** A whole dialogue. */
export interface Script {
  /** The name of the state that expects the caller's first answer. */
  first: string;
  states: ReadonlyMap<string, ScriptState>;
  /** Answers that are valid in every state, after the state's own. */
  anywhere: readonly Answer[];
}

/** An error in a script, for its author. */
export interface ScriptFault {
  /** Counts from 1. */
  line: number;
  message: string;
}
