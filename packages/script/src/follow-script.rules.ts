/**
 * What a script says next. A script has no memory: its position follows from what the customer has said so far, so a
 * dialogue can be resumed at any time.
 *
 * - A key takes precedence over words; several answers in one turn are processed in order.
 * - An answer that is not understood: the question is repeated up to `tries` times; then comes `otherwise`, or an apology
 *   and the end of the call.
 * - Silence: the customer is asked once whether they are still there; after a second silence the call ends.
 */
import { findAnswer } from './phrases.rules.ts';
import type { Answer, Script, ScriptState } from './script.ts';

/** One entry of a customer's turn. `unrecognised` is speech without recognised words. */
export interface CustomerEntry {
  kind: 'speech' | 'unrecognised' | 'dtmf' | 'silence';
  text: string;
}

/** The position in a dialogue. */
export interface Standing {
  /** The name of the state; null once the script has given up. */
  state: string | null;
  /** The text to speak now. */
  say: string;
  hasEnded: boolean;
  /** Consecutive turns that were not understood. */
  misses: number;
  silences: number;
  /** The values that the script has stored, by name. */
  notes: Readonly<Record<string, string>>;
}

const SORRY = 'Sorry, I did not get that.';
const GIVE_UP = 'I am sorry that I cannot help you any further. Thank you for your call. Goodbye.';
const STILL_THERE = 'Hello? Are you still there?';
const NOBODY_THERE = 'I cannot hear you, so I will end the call. Goodbye.';

/** The beginning of a dialogue: the first state, for an assistant without a greeting. */
export function openScript(script: Script): Standing {
  const start = { state: null, say: '', hasEnded: false, misses: 0, silences: 0, notes: {} };
  return enter(script, start, script.first);
}

/**
 * The position after one turn of the customer.
 *
 * @param turn - all entries since the assistant last spoke, in order
 * @param wasAsked - false if the assistant has not said anything yet
 */
export function followScript(
  script: Script,
  before: Standing,
  { turn, wasAsked }: { turn: readonly CustomerEntry[]; wasAsked: boolean },
): Standing {
  if (before.hasEnded) return { ...before, say: '' };
  const answered = takeAnswers(script, before, turn);
  if (answered !== before) return answered;
  if (!wasAsked) return openScript(script);
  const isSilent = turn.every(({ kind }) => kind === 'silence');
  return isSilent ? hearNothing(script, before) : missAnswer(script, before);
}

/** The phrases that the customer may say now; empty if the dialogue is over. */
export function expectedPhrases(script: Script, { state, hasEnded }: Standing): string[] {
  return hasEnded ? [] : answersIn(script, state).flatMap(({ phrases }) => phrases);
}

/** @returns `before` itself if nothing was understood */
function takeAnswers(script: Script, before: Standing, turn: readonly CustomerEntry[]): Standing {
  const keys = turn.findLast(({ kind }) => kind === 'dtmf');
  if (keys) return takeKey(script, before, keys.text.trim().at(-1) ?? '');
  let standing = before;
  for (const entry of turn) {
    if (entry.kind !== 'speech' || standing.hasEnded) continue;
    const found = findAnswer(entry.text, answersIn(script, standing.state));
    if (found) standing = goOn(script, standing, found);
  }
  return standing;
}

function takeKey(script: Script, before: Standing, key: string): Standing {
  const answer = answersIn(script, before.state).find(({ keys }) => keys.includes(key));
  return answer ? goOn(script, before, { answer, said: key }) : before;
}

function goOn(
  script: Script,
  before: Standing,
  { answer, said }: { answer: Answer; said: string },
): Standing {
  const noted = Object.entries(answer.notes).map(([name, value]) => [name, value.replaceAll('{said}', said)]);
  const notes = { ...before.notes, ...(Object.fromEntries(noted) as Record<string, string>) };
  return enter(script, { ...before, notes }, answer.next);
}

function enter(script: Script, before: Standing, name: string): Standing {
  const state = stateOf(script, name);
  const { notes } = before;
  const hasEnded = state.answers.length === 0;
  return { state: name, say: fill(state.say, notes), hasEnded, misses: 0, silences: 0, notes };
}

function missAnswer(script: Script, before: Standing): Standing {
  const state = stateOf(script, before.state);
  const misses = before.misses + 1;
  if (misses <= state.tries) return { ...before, say: askAgain(state, before, SORRY), misses, silences: 0 };
  if (state.otherwise !== null) return enter(script, before, state.otherwise);
  return { ...before, state: null, say: GIVE_UP, hasEnded: true };
}

function hearNothing(script: Script, before: Standing): Standing {
  if (before.silences > 0) return { ...before, state: null, say: NOBODY_THERE, hasEnded: true };
  const say = askAgain(stateOf(script, before.state), before, STILL_THERE);
  return { ...before, say, silences: 1 };
}

function askAgain({ again, say }: ScriptState, { notes }: Standing, opening: string): string {
  return fill(again ?? `${opening} ${say}`, notes);
}

function answersIn(script: Script, name: string | null): readonly Answer[] {
  return name === null ? [] : [...stateOf(script, name).answers, ...script.anywhere];
}

/** The parser has checked that the name exists. */
function stateOf(script: Script, name: string | null): ScriptState {
  const state = name === null ? undefined : script.states.get(name);
  if (!state) throw new Error(`The script has no state "${name}"`);
  return state;
}

function fill(text: string, notes: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([^{}]+)\}/gu, (_whole, name: string) =>
    Object.hasOwn(notes, name.trim()) ? (notes[name.trim()] ?? '') : '',
  );
}
