/**
 * Transitions of `opening`: the first message of a call that we placed begins after the callee's first sound, because most
 * callees say "Hello?" when they answer, and both sides would speak at once. See `turn.rules.ts`.
 */
import { mute } from '../recognition/caller-activity.rules.ts';
import { takeWithoutReply } from './disclosure.rules.ts';
import type { EventOf, StateIn, Step, TurnState } from './turn-state.ts';
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

/**
 * The first message is the answer to what the callee has said until now. Sound that continues is not the callee's. If the
 * callee should speak first, the phase exists only for a disclosure message, and their words stay open.
 */
function beginGreeting(before: StateIn<'opening'>, nowMs: number): Step {
  const { caller } = before;
  const heard: TurnState = { ...before, caller: caller.isSpeaking ? mute(caller) : caller };
  if (before.policy.opening === 'caller') return beginSpeech(heard, { kind: 'disclosure' }, nowMs);
  const { state, effects } = takeWithoutReply(heard);
  const kind = before.policy.opening === 'reply' ? 'reply' : 'greeting';
  return after(effects, beginSpeech(state, { kind }, nowMs));
}
