/**
 * What a supervisor of the call does to the conversation: the caller is told that a supervisor listens in, the prompt changes, or
 * a person talks to the caller in place of the assistant. In the state `attended` the assistant is silent: what the caller
 * says is recorded turn by turn and gets no reply, and a provider that fails does not end the call.
 */
import { isTurnOver } from '../recognition/endpointing.rules.ts';
import { utterancesOf } from '../recognition/caller-input.rules.ts';
import { takeWithoutReply } from './disclosure.rules.ts';
import { discarding } from './draft.rules.ts';
import type { EventOf, Phase, StateIn, Step, SupervisorEvent, TurnState } from './turn-state.ts';
import { beginSpeech, enter, recogniserFailed, stay } from './turn-steps.rules.ts';

/** Before the answer there is no caller; last words are followed by the end of the call. */
const BEYOND_REACH: readonly Phase['name'][] = ['ringing', 'closing', 'hung-up', 'closed'];

/** Any phase × an event of the supervisor. */
export function supervise(state: TurnState, event: SupervisorEvent, nowMs: number): Step {
  switch (event.type) {
    case 'announcement.requested':
      return stay({ ...state, isAnnouncementDue: true });
    case 'whispered':
      return { state: { ...state, draft: null }, effects: discarding(state) };
    case 'line.attended':
      return event.isAttended ? attend(state) : giveBack(state, nowMs);
  }
}

/** A disclosure message that is due comes first, so the call cannot be attended before its end. */
function attend(state: TurnState): Step {
  const { phase } = state;
  if (BEYOND_REACH.includes(phase.name) || phase.name === 'attended' || state.disclosure.isDue)
    return stay(state);
  const abort = 'turn' in phase ? [{ type: 'abort', turn: phase.turn.number } as const] : [];
  return enter({ ...state, draft: null }, { name: 'attended' }, ...discarding(state), ...abort);
}

/** The assistant continues: it answers a caller who speaks, and otherwise speaks itself. */
function giveBack(before: TurnState, nowMs: number): Step {
  if (before.phase.name !== 'attended') return stay(before);
  const state = { ...before, quiet: { ...before.quiet, sinceMs: nowMs, callerSilentSinceMs: nowMs } };
  if (state.caller.isSpeaking) return enter(state, { name: 'listening' });
  if (utterancesOf(state.input).length > 0) return enter(state, { name: 'ending' });
  return beginSpeech(state, { kind: 'check-in' }, nowMs);
}

/** attended × line.ticked: the caller's turn is recorded when it is over. */
export function tickWhileAttended(
  state: StateIn<'attended'>,
  _event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { caller, input, policy, usualPauseMs, asked } = state;
  if (caller.isSpeaking || !isTurnOver({ activity: caller, input, policy, usualPauseMs, asked }, nowMs))
    return stay(state);
  return takeWithoutReply(state);
}

/** attended × recogniser.failed: without another recogniser, the rest of the call has no transcript. */
export function recogniserFailedWhileAttended(
  state: StateIn<'attended'>,
  _event: unknown,
  nowMs: number,
): Step {
  const isLast = state.recogniserFailures >= (state.policy.recogniser?.reopenings ?? 0);
  return isLast ? stay(state) : recogniserFailed(state, nowMs);
}
