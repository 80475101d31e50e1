/**
 * What follows when the caller speaks over the goodbye with which the assistant ends the call. The words may be a question
 * that occurred to the caller, so they are heard before the hang-up, once in a conversation. If they only take leave, or
 * there are none, the call ends. After the goodbye because of silence, any speech shows that the caller is there.
 */
import { inputText, utterancesOf } from '../recognition/caller-input.rules.ts';
import { isFarewell } from '../recognition/caller-words.rules.ts';
import { isEarlyAnswer } from './early-answer.rules.ts';
import type { HangUp, StateIn, Step, TurnState } from './turn-state.ts';
import { endCall, enter } from './turn-steps.rules.ts';

/** Why the call ends, where the caller is heard once more. */
const HEARD_AFTER: ReadonlySet<HangUp['reason']> = new Set(['end_call', 'silence_limit']);

/** The goodbye was played: ends the call, or listens to a caller who has spoken over it. */
export function endOrListen(state: StateIn<'closing'>, nowMs: number): Step {
  const { hangUp } = state.phase;
  if (!HEARD_AFTER.has(hangUp.reason) || state.secondHearing.isUsed || !hasSpokenOver(state))
    return endCall(state, hangUp);
  const quiet = { ...state.quiet, sinceMs: nowMs, callerSilentSinceMs: nowMs };
  const next = { ...state, quiet, secondHearing: { hangUp, isUsed: true } };
  return enter(next, { name: state.caller.isSpeaking ? 'listening' : 'ending' });
}

/** How the call ends now that the caller's turn is over; null if the turn is answered, or if it followed no goodbye. */
export function hangUpAfter({ input, policy, secondHearing }: TurnState): HangUp | null {
  const text = inputText(input);
  if (
    secondHearing.hangUp?.reason === 'silence_limit' &&
    utterancesOf(input).length > 0 &&
    !isFarewell(text, policy.language)
  )
    return null;
  const isRecognised = policy.recogniser !== null && !policy.recogniser.isModel;
  const isRequest =
    text === '' && isRecognised
      ? input.keys !== ''
      : utterancesOf(input).length > 0 && !isFarewell(text, policy.language);
  return isRequest ? null : secondHearing.hangUp;
}

function hasSpokenOver({ caller, input, policy }: StateIn<'closing'>): boolean {
  const text = inputText(input);
  if (text !== '') return !isFarewell(text, policy.language);
  return caller.isSpeaking || isEarlyAnswer(input);
}
