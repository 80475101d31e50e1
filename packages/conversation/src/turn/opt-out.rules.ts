/**
 * What happens when the caller asks not to be called again, in words or with the key that the assistant offers: the request
 * is reported at once, the assistant acknowledges it in one sentence that cannot be interrupted, and the call ends. Keys
 * that a tool collects do not reach these rules.
 */
import { inputText, NO_INPUT, utterancesOf } from '../recognition/caller-input.rules.ts';
import { isOptOut } from '../recognition/opt-out.rules.ts';
import { placeWords } from './late-words.rules.ts';
import type { Effect, OptOutMeans, Step, TurnEvent, TurnState } from './turn-state.ts';
import { after, beginClosing, close, cutting } from './turn-steps.rules.ts';

/** A request, and the state that includes its words or its key. */
interface OptOut {
  means: OptOutMeans;
  state: TurnState;
  effects: readonly Effect[];
}

/**
 * Any phase after the answer × words or a key.
 *
 * @returns null when the event is no such request
 */
export function hearOptOut(state: TurnState, event: TurnEvent, nowMs: number): Step | null {
  if (!isHeeded(state)) return null;
  const found = findKey(state, event) ?? findWords(state, event, nowMs);
  if (found === null) return null;
  const { means } = found;
  const noted = noteTurn({ ...found.state, hasOptedOut: true });
  const report: Effect = { type: 'report-opt-out', means };
  return after([...found.effects, ...noted.effects, report], acknowledge(noted.state, nowMs));
}

/** A machine repeats sentences to every caller; it has no number of its own. */
function isHeeded({ policy, phase, hasOptedOut }: TurnState): boolean {
  if (!policy.hearsOptOut || hasOptedOut || phase.name === 'machine') return false;
  return phase.name !== 'closing' || phase.hangUp.reason !== 'voicemail_message';
}

/** Only the first key of an entry counts, so that a number which contains the key is not a request. */
function findKey(state: TurnState, event: TurnEvent): OptOut | null {
  if (event.type !== 'key.pressed' || event.digit !== state.policy.optOutKey) return null;
  return state.input.keys === event.digit ? { means: 'pressed', state, effects: [] } : null;
}

function findWords(before: TurnState, event: TurnEvent, nowMs: number): OptOut | null {
  if (event.type !== 'words.recognised') return null;
  const { state, effects, belongTo } = placeWords(before, event, nowMs);
  if (belongTo === 'none') return null;
  const joined = { now: inputText(state.input), late: state.taken?.text ?? '', aside: '' }[belongTo];
  const isRequest = [event.text, joined].some((text) => isOptOut(text, state.policy.language));
  return isRequest ? { means: 'said', state, effects } : null;
}

function noteTurn(state: TurnState): { state: TurnState; effects: Effect[] } {
  const effects = utterancesOf(state.input).map((utterance): Effect => ({
    type: 'note-caller',
    utterance,
    isAside: false,
  }));
  return { state: { ...state, input: NO_INPUT }, effects };
}

/** Last words that are already being spoken are spoken to their end; a person who attends the call answers for themselves. */
function acknowledge(state: TurnState, nowMs: number): Step {
  const { phase } = state;
  if (phase.name === 'hung-up') return close(state);
  if (phase.name === 'closing' || phase.name === 'attended') return { state, effects: [] };
  const hangUp = { by: 'assistant', reason: 'opted_out' } as const;
  return after(cutting(state), beginClosing(state, { kind: 'acknowledgement', hangUp }, nowMs));
}
