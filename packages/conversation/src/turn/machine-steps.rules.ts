/**
 * What happens when a machine has answered: the call ends at once, or the assistant stops speaking, waits for the beep and
 * leaves the disclosure message and its first message. The two machine events bypass the table of `turn.rules.ts`; `machine` is one of its states.
 */
import type { EventOf, MachineEvent, Phase, StateIn, Step, TurnState } from './turn-state.ts';
import { discarding } from './draft.rules.ts';
import { readOnly } from './turn-speaking.rules.ts';
import { after, beginClosing, close, endCall, enter, noteAsides, stay } from './turn-steps.rules.ts';

/** A machine that has been silent for this long is recording, with or without a beep. */
const MACHINE_LISTENS_AFTER_MS = 2000;
/** The message is left after this time, even if the greeting has not ended. */
const LONGEST_GREETING_MS = 30_000;

/** The end reason of a call that left its message. */
const MESSAGE_LEFT = 'voicemail_message';

/** Phases in which machine events are ignored. */
const OVER: readonly Phase['name'][] = ['ringing', 'attended', 'closing', 'hung-up', 'closed'];

/** Any phase × a machine event. */
export function hearMachine(state: TurnState, event: MachineEvent, nowMs: number): Step {
  if (OVER.includes(state.phase.name) || state.disclosure.closing !== null) return stay(state);
  if (event.type === 'machine.beeped')
    return state.phase.name === 'machine' ? leaveMessage(state, nowMs) : stay(state);
  if (event.mustHangUp) return endCall(state, { by: 'assistant', reason: 'voicemail' });
  return state.phase.name === 'machine' ? stay(state) : fallSilent(state, nowMs);
}

function fallSilent(state: TurnState, nowMs: number): Step {
  const abort = 'turn' in state.phase ? [{ type: 'abort', turn: state.phase.turn.number } as const] : [];
  return enter(
    { ...state, draft: null, disclosure: { isDue: state.policy.hasDisclosure, closing: null } },
    { name: 'machine', sinceMs: nowMs },
    ...abort,
    ...discarding(state),
  );
}

/** machine × line.ticked: without a beep, silence shows that the machine is recording. */
export function tickWhileMachine(
  state: StateIn<'machine'>,
  _event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { caller, phase } = state;
  const quietSinceMs = Math.max(phase.sinceMs, caller.lastSpeechMs);
  const isListening = !caller.isSpeaking && nowMs - quietSinceMs >= MACHINE_LISTENS_AFTER_MS;
  const isLong = nowMs - phase.sinceMs >= LONGEST_GREETING_MS;
  return isListening || isLong ? leaveMessage(state, nowMs) : stay(state);
}

/**
 * closing × words.recognised: while a message is left, words are ignored. They come from the machine's greeting or its beep.
 */
export function readWhileClosing(
  state: StateIn<'closing'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const isMessage = state.phase.hangUp.reason === MESSAGE_LEFT;
  return isMessage ? stay(state) : readOnly(state, event, nowMs);
}

/** Leaves the first message: no other text is known to make sense to a person who hears it later. */
function leaveMessage(state: TurnState, nowMs: number): Step {
  const hangUp = { by: 'assistant', reason: MESSAGE_LEFT } as const;
  if (!state.policy.hasGreeting)
    return close(state, { type: 'hang-up', hangUp: { ...hangUp, reason: 'voicemail' } });
  const noted = noteAsides(state);
  return after(noted.effects, beginClosing(noted.state, { kind: 'greeting', hangUp }, nowMs));
}
