/**
 * Drafts: replies that are generated during the silence that ends the caller's turn, and held back. If the turn ends with
 * the same words, the reply starts at once; if the words change, the draft is discarded and appears neither in transcript
 * nor history. It does not matter whether the words are interim or final, nor their punctuation and capitals.
 */
import {
  inputText,
  utterancesOf,
  type CallerInput,
  type CallerUtterance,
} from '../recognition/caller-input.rules.ts';
import { endingOf, type Ending } from '../recognition/caller-words.rules.ts';
import { plainWords } from '../recognition/plain-words.rules.ts';
import { hasCoveringFinal } from '../recognition/endpointing.rules.ts';
import { isTimeToWrapUp } from './quiet.rules.ts';
import type { Effect, Step, TurnState } from './turn-state.ts';

/** Drafts in one turn of the caller; after that the reply waits for the end of the turn. */
const MAX_DRAFTS = 2;
/** The minimum confidence of a semantic recogniser. */
const LIKELY = 0.5;
/** Audio that has been silent for this long (longer than within a "t" or "b") may be over, although the detector is not sure yet. */
const LIKELY_PAUSE_MS = 96;
/**
 * An interim result that has been stable for this long is likely to become the final. Recognisers send the next one 100 to
 * 300 ms after the previous one.
 */
const STANDING_GUESS_MS = 300;
/** At most this share of the replies of a call is discarded, after the first few drafts. */
const MOST_DISCARDED = 0.2;
/** Discarded drafts that need no replies in proportion, so that a call can begin with drafts. */
const FREE_DISCARDS = 2;
/** After words that end so, no reply is made ahead. */
const CONTINUES: readonly Ending[] = ['unfinished', 'dictated', 'awaited'];
/** This long before replies must contain a goodbye, no draft is generated, because it would lack one. */
const WRAP_UP_LEAD_MS = 5000;

/** Starts a draft if the caller has probably finished, and replaces a draft for other words. */
export function draftReply(step: Step, nowMs: number): Step {
  const { state } = step;
  const { name } = state.phase;
  if ((name !== 'ending' && name !== 'listening') || !isLikelyDone(state, nowMs)) return step;
  const utterances = utterancesOf(state.input);
  const words = wordsOf(utterances);
  if (words === state.draft?.words || state.draftsOfTurn >= MAX_DRAFTS) return step;
  if (isTooWasteful(state)) return step;
  const turn = state.lastTurn + 1;
  const draftsOfTurn = state.draftsOfTurn + 1;
  return {
    state: { ...state, lastTurn: turn, draft: { turn, words }, draftsOfTurn },
    effects: [...step.effects, ...discarding(state), { type: 'draft', turn, utterances }],
  };
}

/** Whether too many replies were discarded in this call, should this draft be discarded too, or the one that it replaces. */
function isTooWasteful({ replies, draft }: TurnState): boolean {
  const discarded = replies.discarded + (draft === null ? 1 : 2);
  if (discarded <= FREE_DISCARDS) return false;
  return discarded > MOST_DISCARDED * (replies.answered + discarded);
}

/** Counts the replies and the discarded drafts among the effects of a step. */
export function countReplies({ state, effects }: Step): Step {
  const answered = effects.filter((effect) => effect.type === 'say' && effect.turn.kind === 'reply').length;
  const discarded = effects.filter(({ type }) => type === 'discard-draft').length;
  if (answered + discarded === 0) return { state, effects };
  const { replies } = state;
  const counted = { answered: replies.answered + answered, discarded: replies.discarded + discarded };
  return { state: { ...state, replies: counted }, effects };
}

/** The number of the draft that answers exactly this, or null. */
export function draftOf(state: TurnState, utterances: readonly CallerUtterance[]): number | null {
  return state.draft?.words === wordsOf(utterances) ? state.draft.turn : null;
}

/** Discards the draft, if there is one. */
export function discarding({ draft }: TurnState): Effect[] {
  return draft === null ? [] : [{ type: 'discard-draft' }];
}

function isLikelyDone({ caller, input, policy, asked }: TurnState, nowMs: number): boolean {
  const text = inputText(input);
  if (text === '' || isTimeToWrapUp(policy, nowMs + WRAP_UP_LEAD_MS)) return false;
  if (policy.recogniser?.isModel) return false; // it has heard the audio itself and would answer twice
  if (policy.recogniser?.isSemantic) return !caller.isSpeaking && (input.doneConfidence ?? 0) >= LIKELY;
  if (caller.isSpeaking && caller.analysedMs - caller.lastSpeechMs < LIKELY_PAUSE_MS) return false;
  const isKnown = hasCoveringFinal({ activity: caller, input }) || isStanding(input, nowMs);
  return isKnown && !CONTINUES.includes(endingOf(text, policy.language, asked));
}

function isStanding({ interim, interimSinceMs }: CallerInput, nowMs: number): boolean {
  return interim !== '' && nowMs - interimSinceMs >= STANDING_GUESS_MS;
}

function wordsOf(utterances: readonly CallerUtterance[]): string {
  const plain = ({ kind, text }: CallerUtterance): string =>
    kind === 'dtmf' ? text : plainWords(text).join(' ');
  return utterances.map((utterance) => `${utterance.kind} ${plain(utterance)}`).join('\n');
}
