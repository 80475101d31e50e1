/**
 * What follows when the route of the called number gives the caller a text instead of a conversation: the text is spoken to
 * its end, and the call ends, a message of the caller is recorded (`message`), or the caller chooses an assistant by key
 * (`menu`). See `turn.rules.ts`.
 */
import type { EventOf, HangUp, StateIn, Step, TurnState } from './turn-state.ts';
import {
  after,
  beginClosing,
  close,
  endCall,
  enter,
  noteAsides,
  recogniserFailed,
  stay,
} from './turn-steps.rules.ts';

/** The message is over after this much silence. */
const MESSAGE_SILENCE_MS = 8000;
/** A caller who presses no key for this time after the text is connected with the first assistant. */
const MENU_PATIENCE_MS = 8000;
/** The key that ends a message, or begins it before the text is over. */
const END_KEY = '#';

const SPOKEN: HangUp = { by: 'assistant', reason: 'route_message' };
const TAKEN: HangUp = { by: 'assistant', reason: 'message_taken' };

/** ringing × line.answered, with a route's text: it cannot be interrupted by speech. */
export function beginRouted(state: TurnState, nowMs: number): Step {
  return beginClosing(state, { kind: 'greeting', hangUp: SPOKEN }, nowMs);
}

/** closing: the text was played, or its voice is stuck. @returns null where the call ends */
export function afterRoutedText(before: StateIn<'closing'>, nowMs: number): Step | null {
  const { answering } = before.policy;
  if (answering === null || answering.type === 'message' || before.phase.turn.kind !== 'greeting')
    return null;
  if (answering.type === 'menu') return enter(before, { name: 'menu', sinceMs: nowMs });
  const { state, effects } = noteAsides(before);
  const turn = state.lastTurn + 1;
  const taking = enter(
    { ...state, lastTurn: turn },
    { name: 'message', sinceMs: nowMs },
    { type: 'beep', turn },
  );
  return after(effects, taking);
}

/** closing × key.pressed: callers who know the text need not wait for its end. */
export function keyWhileClosing(
  state: StateIn<'closing'>,
  event: EventOf<'key.pressed'>,
  nowMs: number,
): Step {
  const { answering } = state.policy;
  if (answering === null || state.phase.turn.kind !== 'greeting') return stay(state);
  if (answering.type === 'menu') return choose(state, event.digit);
  if (answering.type === 'message' || event.digit !== END_KEY) return stay(state);
  const abort = { type: 'abort', turn: state.phase.turn.number } as const;
  return after([abort], afterRoutedText(state, nowMs) ?? stay(state));
}

/** closing and message × recogniser.failed: the message is recorded in any case; only its words may be missing. */
export function replaceRecogniser(
  state: StateIn<'closing' | 'message'>,
  _event: unknown,
  nowMs: number,
): Step {
  if (state.policy.answering?.type !== 'voicemail') return stay(state);
  const { recogniserFailures: failures, policy } = state;
  return failures < (policy.recogniser?.reopenings ?? 0) ? recogniserFailed(state, nowMs) : stay(state);
}

/** message × line.ticked: the caller has said nothing for a while, or the message is as long as it may be. */
export function tickWhileMessage(
  state: StateIn<'message'>,
  _event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { caller, phase, policy } = state;
  const quietSinceMs = caller.isSpeaking ? nowMs : Math.max(phase.sinceMs, caller.lastSpeechMs);
  const { answering } = policy;
  const longestMs = answering?.type === 'voicemail' ? answering.maxSeconds * 1000 : Infinity;
  const isOver = nowMs - quietSinceMs >= MESSAGE_SILENCE_MS || nowMs - phase.sinceMs >= longestMs;
  return isOver ? endCall(state, TAKEN) : stay(state);
}

/** message × key.pressed. */
export function keyWhileMessage(state: StateIn<'message'>, event: EventOf<'key.pressed'>): Step {
  return event.digit === END_KEY ? endCall(state, TAKEN) : stay(state);
}

/** menu × line.ticked. */
export function tickWhileMenu(state: StateIn<'menu'>, _event: EventOf<'line.ticked'>, nowMs: number): Step {
  const { answering } = state.policy;
  const first = answering?.type === 'menu' ? answering.choices[0] : undefined;
  if (!first || nowMs - state.phase.sinceMs < MENU_PATIENCE_MS) return stay(state);
  return choose(state, first.key);
}

/** menu × key.pressed. */
export function keyWhileMenu(state: StateIn<'menu'>, event: EventOf<'key.pressed'>): Step {
  return choose(state, event.digit);
}

/** Other keys than those of the menu have no effect. */
function choose(state: StateIn<'closing' | 'menu'>, key: string): Step {
  const { answering } = state.policy;
  const choice = answering?.type === 'menu' ? answering.choices.find((one) => one.key === key) : undefined;
  if (!choice) return stay(state);
  const { assistantId: nextAssistantId } = choice;
  const hangUp: HangUp = { by: 'assistant', reason: 'assistant_transfer', nextAssistantId };
  return close(state, { type: 'hang-up', hangUp });
}
