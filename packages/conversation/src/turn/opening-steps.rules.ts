/**
 * Transitions of `opening`: the first message of a call that we placed begins after the callee's first sound, because most
 * callees say "Hello?" when they answer, and both sides would speak at once. See `turn.rules.ts`.
 */
import { mute } from '../recognition/caller-activity.rules.ts';
import { inputText, NO_INPUT, utterancesOf } from '../recognition/caller-input.rules.ts';
import { hasCoveringFinal } from '../recognition/endpointing.rules.ts';
import type { Effect, EventOf, StateIn, Step } from './turn-state.ts';
import { after, beginSpeech, stay } from './turn-steps.rules.ts';

/** A person who answers does not speak longer without a pause; a machine is usually detected by then. */
const LONGEST_FIRST_SOUND_MS = 5000;

/** opening × line.ticked. */
export function tickWhileOpening(
  state: StateIn<'opening'>,
  _event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { caller, input, phase, policy } = state;
  const silenceMs = nowMs - phase.sinceMs;
  const isDue = caller.isSpeaking
    ? nowMs - caller.startedMs >= LONGEST_FIRST_SOUND_MS
    : input.startedMs !== null || silenceMs >= (policy.greetingDelayMs ?? 0);
  return isDue ? beginGreeting(state, nowMs) : stay(state);
}

/** The first message is the answer to what the callee has said until now. Sound that continues is not the callee's. */
function beginGreeting(before: StateIn<'opening'>, nowMs: number): Step {
  const { caller, input, policy } = before;
  const notes = utterancesOf(input).map((utterance): Effect => ({
    type: 'note-caller',
    utterance,
    isAside: false,
  }));
  const owesFinal = policy.recogniser !== null && !hasCoveringFinal({ activity: caller, input });
  const taken = notes.length === 0 ? null : { finals: input.finals, text: inputText(input), owesFinal };
  const state = { ...before, input: NO_INPUT, taken, caller: caller.isSpeaking ? mute(caller) : caller };
  const kind = policy.opening === 'reply' ? 'reply' : 'greeting';
  return after(notes, beginSpeech(state, { kind }, nowMs));
}
