/**
 * Replies made ahead: while the silence that ends the caller's turn still runs, model and voice already work, behind a
 * gate. If the turn ends with just these words the reply is there at once; if the words change it is forgotten, and
 * neither transcript nor history knows of it.
 */
import { inputText, utterancesOf, type CallerUtterance } from '../hearing/caller-input.rules.ts';
import { endingOf } from '../hearing/caller-words.rules.ts';
import { hasCoveringFinal } from '../hearing/endpointing.rules.ts';
import { isTimeToWrapUp } from './quiet.rules.ts';
import type { Effect, Step, TurnState } from './turn-state.ts';

/** In one turn of the caller; whoever keeps changing their words is waited for. */
const MAX_DRAFTS = 3;
/** A semantic recogniser must be so sure. */
const LIKELY = 0.5;
/** So long before a reply must be told to say goodbye none is made without it. */
const WRAP_UP_LEAD_MS = 5000;

/** A reply behind the gate. */
export interface Draft {
  /** The number the turn will bear. */
  turn: number;
  /** What it answers. */
  words: string;
}

/** Starts a reply ahead if the caller is likely to be done, in place of one to other words. */
export function draftReply(step: Step, nowMs: number): Step {
  const { state } = step;
  if (state.phase.name !== 'ending' || !isLikelyDone(state, nowMs)) return step;
  const utterances = utterancesOf(state.input);
  const words = wordsOf(utterances);
  if (words === state.draft?.words || state.draftsOfTurn >= MAX_DRAFTS) return step;
  const turn = state.lastTurn + 1;
  const draftsOfTurn = state.draftsOfTurn + 1;
  return {
    state: { ...state, lastTurn: turn, draft: { turn, words }, draftsOfTurn },
    effects: [...step.effects, ...discarding(state), { type: 'draft', turn, utterances }],
  };
}

/** The number of the draft that answers just this, if there is one. */
export function draftOf(state: TurnState, utterances: readonly CallerUtterance[]): number | null {
  return state.draft?.words === wordsOf(utterances) ? state.draft.turn : null;
}

/** Forgets a draft, if there is one. */
export function discarding({ draft }: TurnState): Effect[] {
  return draft === null ? [] : [{ type: 'discard-draft' }];
}

function isLikelyDone({ caller, input, policy }: TurnState, nowMs: number): boolean {
  const text = inputText(input);
  if (caller.isSpeaking || text === '' || isTimeToWrapUp(policy, nowMs + WRAP_UP_LEAD_MS)) return false;
  if (policy.recogniser?.isModel) return false; // it has heard all there is, and would answer twice
  if (policy.recogniser?.isSemantic) return (input.doneConfidence ?? 0) >= LIKELY;
  return hasCoveringFinal({ activity: caller, input }) && endingOf(text, policy.language) !== 'unfinished';
}

function wordsOf(utterances: readonly CallerUtterance[]): string {
  return utterances.map(({ kind, text }) => `${kind} ${text}`).join('\n');
}
