/**
 * What follows the disclosure message, for example "This call is recorded." It is spoken before anything else: as long as it
 * is due, `beginSpeech` and `beginClosing` speak it instead of what was wanted. It cannot be interrupted, and only a voice
 * that fails twice ends the call without it. While it is spoken, the phases are `thinking` and `speaking`.
 */
import { hasCoveringFinal } from '../recognition/endpointing.rules.ts';
import { inputText, utterancesOf } from '../recognition/caller-input.rules.ts';
import { withoutInput } from './late-words.rules.ts';
import type { Effect, Step, TurnState } from './turn-state.ts';
import { after, beginClosing, beginSpeech, enter } from './turn-steps.rules.ts';

/** The disclosure message was played to its end: last words that are due, or the conversation begins. */
export function afterDisclosure(before: TurnState, nowMs: number): Step {
  const { closing } = before.disclosure;
  const quiet = { ...before.quiet, sinceMs: nowMs, callerSilentSinceMs: nowMs };
  const state = { ...before, quiet, disclosure: { isDue: false, closing: null } };
  if (closing !== null) return beginClosing(state, closing, nowMs);
  return state.policy.opening === 'caller' ? hearCaller(state) : beginMessage(state, nowMs);
}

/** The customer speaks first. What they have said before and over the message is their turn. */
function hearCaller(state: TurnState): Step {
  if (state.caller.isSpeaking) return enter(state, { name: 'listening' });
  return enter(state, { name: utterancesOf(state.input).length > 0 ? 'ending' : 'waiting' });
}

/** The first message answers what the caller has said over the disclosure. Speech that continues may interrupt it. */
function beginMessage(before: TurnState, nowMs: number): Step {
  const kind = before.policy.opening === 'reply' ? 'reply' : 'greeting';
  if (before.caller.isSpeaking) return beginSpeech(before, { kind }, nowMs);
  const { state, effects } = takeWithoutReply(before);
  return after(effects, beginSpeech(state, { kind }, nowMs));
}

/** Records what the caller has said. The first message is its answer. */
export function takeWithoutReply(before: TurnState): { state: TurnState; effects: Effect[] } {
  const { caller, input, policy } = before;
  const effects = utterancesOf(input).map((utterance): Effect => ({
    type: 'note-caller',
    utterance,
    isAside: false,
  }));
  if (effects.length === 0) return { state: withoutInput(before), effects };
  const owesFinal = policy.recogniser !== null && !hasCoveringFinal({ activity: caller, input });
  const taken = { finals: input.finals, text: inputText(input), owesFinal };
  return { state: { ...withoutInput(before), taken }, effects };
}
