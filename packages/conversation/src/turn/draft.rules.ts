/**
 * Replies made ahead: while the silence that ends the caller's turn still runs, model and voice already work, behind a
 * gate. If the turn ends with just these words the reply is there at once; if the words change it is forgotten, and
 * neither transcript nor history knows of it. Whether a word is a guess or final, with which marks and capitals, does not
 * matter.
 */
import {
  inputText,
  utterancesOf,
  type CallerInput,
  type CallerUtterance,
} from '../hearing/caller-input.rules.ts';
import { endingOf, plainWords } from '../hearing/caller-words.rules.ts';
import { hasCoveringFinal } from '../hearing/endpointing.rules.ts';
import { isTimeToWrapUp } from './quiet.rules.ts';
import type { Effect, Step, TurnState } from './turn-state.ts';

/** In one turn of the caller; whoever keeps changing their words is waited for. */
const MAX_DRAFTS = 2;
/** A semantic recogniser must be so sure. */
const LIKELY = 0.5;
/** Sound that was gone for so long may be gone for good, though the detector is not sure yet: longer than a "t" or a "b". */
const LIKELY_PAUSE_MS = 96;
/** A guess that has stood for so long is likely to be what the final says. */
const STANDING_GUESS_MS = 120;
/** So long before a reply must be told to say goodbye none is made without it. */
const WRAP_UP_LEAD_MS = 5000;

/** Starts a reply ahead if the caller is likely to be done, in place of one to other words. */
export function draftReply(step: Step, nowMs: number): Step {
  const { state } = step;
  const { name } = state.phase;
  if ((name !== 'ending' && name !== 'listening') || !isLikelyDone(state, nowMs)) return step;
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
  if (text === '' || isTimeToWrapUp(policy, nowMs + WRAP_UP_LEAD_MS)) return false;
  if (policy.recogniser?.isModel) return false; // it has heard all there is, and would answer twice
  if (policy.recogniser?.isSemantic) return !caller.isSpeaking && (input.doneConfidence ?? 0) >= LIKELY;
  if (caller.isSpeaking && caller.analysedMs - caller.lastSpeechMs < LIKELY_PAUSE_MS) return false;
  const isKnown = hasCoveringFinal({ activity: caller, input }) || isStanding(input, nowMs);
  return isKnown && endingOf(text, policy.language) !== 'unfinished';
}

function isStanding({ interim, interimSinceMs }: CallerInput, nowMs: number): boolean {
  return interim !== '' && nowMs - interimSinceMs >= STANDING_GUESS_MS;
}

function wordsOf(utterances: readonly CallerUtterance[]): string {
  const plain = ({ kind, text }: CallerUtterance): string =>
    kind === 'dtmf' ? text : plainWords(text).join(' ');
  return utterances.map((utterance) => `${utterance.kind} ${plain(utterance)}`).join('\n');
}
