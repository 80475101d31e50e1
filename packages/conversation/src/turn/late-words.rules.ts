/**
 * Assigns recognised words to a turn of the caller. Finals usually arrive while the caller's turn is open, but sometimes
 * after the assistant has begun to answer it.
 */
import { unmute } from '../recognition/caller-activity.rules.ts';
import { addFinal, addInterim, hasNewWords, NO_INPUT } from '../recognition/caller-input.rules.ts';
import { plainWords } from '../recognition/plain-words.rules.ts';
import type { Effect, EventOf, TurnState } from './turn-state.ts';

/** Recognised words and the turn to which they belong. */
export interface PlacedWords {
  state: TurnState;
  effects: Effect[];
  /**
   * `late`: they changed the caller's last turn; `aside`: they were said over the assistant, which continued; `now`: they
   * belong to the open turn; `none`: they change nothing.
   */
  belongTo: 'late' | 'aside' | 'now' | 'none';
}

/** Forgets what the caller has said; words without a final will come again. */
export function withoutInput(state: TurnState): TurnState {
  return { ...state, input: NO_INPUT, staleGuess: state.input.interim || state.staleGuess };
}

/** Words of the open turn. Earlier words without a final precede them in the recogniser's next results. */
export function openWords({ staleGuess }: TurnState, text: string): string {
  const stale = plainWords(staleGuess);
  const said = plainWords(text);
  const words = text.trim().split(/\s+/u);
  if (stale.length === 0 || said.length <= stale.length || words.length !== said.length) return text;
  return stale.every((word, n) => word === said[n]) ? words.slice(stale.length).join(' ') : text;
}

/**
 * An interim result. Over the assistant's turn and without open speech, it belongs to the turn that is answered, or it is an
 * echo or a voice in the background. Otherwise it may be the beginning of soft speech. Words in sound that counted as no
 * speech show that it is speech: a recogniser may report the gap before a word when that has begun.
 */
export function placeGuess(state: TurnState, text: string, nowMs: number): TurnState {
  if (state.input.startedMs !== null) return guessOpenWords(state, text, nowMs);
  if (text.trim() !== '' && state.caller.mutedMs !== null) return { ...state, caller: unmute(state.caller) };
  return text.trim() === '' || !('turn' in state.phase) ? state : { ...state, staleGuess: text.trim() };
}

function guessOpenWords(state: TurnState, text: string, nowMs: number): TurnState {
  const isStale =
    state.staleGuess !== '' && plainWords(text).join(' ') === plainWords(state.staleGuess).join(' ');
  const input = addInterim(state.input, isStale ? '' : openWords(state, text), nowMs);
  return { ...state, input, caller: text.trim() === '' ? state.caller : unmute(state.caller) };
}

/** Assigns a final. One that the recogniser sent itself also resets the count of its failures. */
export function placeWords(
  before: TurnState,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): PlacedWords {
  const placed = place(before, event, nowMs);
  return event.isOverdue ? placed : { ...placed, state: { ...placed.state, staleGuess: '' } };
}

function place(before: TurnState, event: EventOf<'words.recognised'>, nowMs: number): PlacedWords {
  const state = event.isOverdue ? before : { ...before, recogniserFailures: 0, wordlessTurns: 0 };
  const ofAside = placeInAside(state, event);
  if (ofAside) return ofAside;
  if (isLate(state, event))
    return event.isOverdue ? { state, effects: [], belongTo: 'none' } : amendTaken(state, event.text);
  const { startedMs, endedMs, lastFinal } = state.input;
  if (lastFinal && event.endMs !== null && lastFinal.endMs === event.endMs)
    return { state, effects: [], belongTo: 'none' }; // the same final came twice
  const text = openWords(state, event.text);
  // Speech that is too soft for the detector: the words show that there was speech.
  const input = startedMs === null ? { ...state.input, startedMs: nowMs, endedMs: nowMs } : state.input;
  const placed = addFinal({ ...input, endedMs: Math.max(input.endedMs, endedMs) }, text, {
    nowMs,
    endMs: event.endMs,
    isOverdue: event.isOverdue,
  });
  if (startedMs === null && event.text.trim() === '') return { state, effects: [], belongTo: 'none' };
  const caller = hasNewWords(state.input, text) ? unmute(state.caller) : state.caller;
  const taken = text === event.text ? state.taken : state.taken && { ...state.taken, owesFinal: false };
  return { state: { ...state, taken, caller, input: placed }, effects: [], belongTo: 'now' };
}

/** How much later than the speech that the detector found the words of a recogniser may end, milliseconds. */
const ASIDE_LEEWAY_MS = 500;

/** Null for words that were not said in the speech that was set aside without words. */
function placeInAside(state: TurnState, event: EventOf<'words.recognised'>): PlacedWords | null {
  const { wordlessAside: aside, input } = state;
  if (aside === null || event.isOverdue) return null;
  const isWithin =
    event.endMs === null
      ? input.startedMs === null
      : event.endMs <= (input.startedMs ?? aside.endedMs + ASIDE_LEEWAY_MS);
  if (!isWithin) return null;
  const next = { ...state, wordlessAside: null };
  const text = event.text.trim();
  if (text === '') return { state: next, effects: [], belongTo: 'none' };
  const utterance = { kind: 'speech', text, ...aside } as const;
  return { state: next, effects: [{ type: 'note-caller', utterance, isAside: true }], belongTo: 'aside' };
}

/** No speech was heard since the last turn was answered, or the words end before that speech. */
function isLate(state: TurnState, event: EventOf<'words.recognised'>): boolean {
  if (state.taken === null) return false;
  const { startedMs } = state.input;
  if (startedMs !== null) return event.endMs !== null && event.endMs <= startedMs;
  return state.phase.name !== 'waiting' || state.taken.owesFinal;
}

function amendTaken(state: TurnState, text: string): PlacedWords {
  const taken = state.taken ?? { finals: [], text: '', owesFinal: false };
  const words = text.trim();
  const isRepeated = !taken.owesFinal && taken.finals.at(-1) === words;
  if (words === '' || isRepeated)
    return { state: { ...state, taken: { ...taken, owesFinal: false } }, effects: [], belongTo: 'none' };
  const finals = [...taken.finals, words];
  const amended = finals.join(' ');
  const next = { ...state, taken: { finals, text: amended, owesFinal: false } };
  if (amended === taken.text) return { state: next, effects: [], belongTo: 'none' };
  return { state: next, effects: [{ type: 'amend-caller', text: amended }], belongTo: 'late' };
}
