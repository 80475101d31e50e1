/** A scripted dialogue as data: what `parse-script.rules.ts` makes of the text that docs/scripted-dialogue.md explains. */

/** One way out of a state. */
export interface Answer {
  /** As written; heard without regard to case and punctuation. */
  phrases: readonly string[];
  /** Keys 0-9 * #. */
  keys: readonly string[];
  /** Any words will do, where a recogniser gives free words. */
  takesAnything: boolean;
  /** Name of the state that follows. */
  next: string;
  /** Noted when this way is taken; `{said}` stands for what was heard. */
  notes: Readonly<Record<string, string>>;
}

/** One point of the dialogue: what is said there and what may be answered. One without answers ends the call. */
export interface ScriptState {
  say: string;
  /** Said instead of an apology and {@link say} when the answer was not understood; null for those. */
  again: string | null;
  answers: readonly Answer[];
  /** How often it is asked again before {@link otherwise} is taken. */
  tries: number;
  /** Where it goes when nothing was understood; null: an apology, and the call ends. */
  otherwise: string | null;
}

/** A whole dialogue. */
export interface Script {
  /** Name of the state in which the caller's first answer is awaited. */
  first: string;
  states: ReadonlyMap<string, ScriptState>;
  /** Valid in every state, after the state's own. */
  anywhere: readonly Answer[];
}

/** What is wrong with the text, for its author. */
export interface ScriptFault {
  /** Counts from 1. */
  line: number;
  message: string;
}
