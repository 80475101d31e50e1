/**
 * The states in which the caller has the floor or may take it: `waiting`, `listening`, `ending`. See `turn.rules.ts`.
 */
import { isTurnOver } from './endpointing.rules.ts';
import { placeWords } from './late-words.rules.ts';
import { decideWhileQuiet } from './quiet.rules.ts';
import type { EventOf, StateIn, Step } from './turn-state.ts';
import { after, beginClosing, beginSpeech, enter, stay, takeUpInput } from './turn-steps.rules.ts';

/** What silence can make the assistant say, as a turn of its own. */
const UNASKED = { greet: 'greeting', 'check-in': 'check-in', 'wrap-up': 'wrap-up' } as const;

/** waiting × line.ticked: how long is too quiet. */
export function tickWhileWaiting(
  state: StateIn<'waiting'>,
  _event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const decision = decideWhileQuiet(state.quiet, state.policy, nowMs);
  if (decision === 'wait') return stay(state);
  if (decision !== 'say-goodbye') return beginSpeech(state, { kind: UNASKED[decision] }, nowMs);
  const hangUp = { by: 'assistant', reason: 'silence_limit' } as const;
  return beginClosing(state, { kind: 'goodbye', hangUp }, nowMs);
}

/** waiting × voice.analysed: the caller begins. */
export function hearWhileWaiting(state: StateIn<'waiting'>): Step {
  return state.caller.isSpeaking ? enter(state, { name: 'listening' }) : stay(state);
}

/** waiting × words.recognised: words without a voice the detector had noticed, or the rest of an old turn. */
export function readWhileWaiting(
  before: StateIn<'waiting'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects, belongTo } = placeWords(before, event, nowMs);
  if (belongTo !== 'now') return { state, effects };
  return enter(state, { name: 'ending' }, ...effects);
}

/** waiting × key.pressed: more keys may follow. */
export function keyWhileWaiting(
  state: StateIn<'waiting'>,
  _event: EventOf<'key.pressed'>,
  nowMs: number,
): Step {
  return endIfOver(enter(state, { name: 'ending' }), nowMs);
}

/** listening × voice.analysed: the caller pauses. */
export function hearWhileListening(state: StateIn<'listening'>): Step {
  return state.caller.isSpeaking ? stay(state) : enter(state, { name: 'ending' });
}

/** listening × words.recognised. */
export function readWhileListening(
  before: StateIn<'listening'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects } = placeWords(before, event, nowMs);
  return { state, effects };
}

/** ending × voice.analysed: the caller goes on after all. */
export function hearWhileEnding(state: StateIn<'ending'>): Step {
  return state.caller.isSpeaking ? enter(state, { name: 'listening' }) : stay(state);
}

/** ending × line.ticked, ending × key.pressed: perhaps it is over now. */
export function tickWhileEnding(
  state: StateIn<'ending'>,
  _event: EventOf<'line.ticked' | 'key.pressed'>,
  nowMs: number,
): Step {
  return endIfOver(stay(state), nowMs);
}

/** ending × words.recognised: the words may be all that was missing. */
export function readWhileEnding(
  before: StateIn<'ending'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects } = placeWords(before, event, nowMs);
  return endIfOver({ state, effects }, nowMs);
}

function endIfOver(step: Step, nowMs: number): Step {
  const { state } = step;
  if (state.phase.name !== 'ending') return step;
  const { caller, input, policy } = state;
  return isTurnOver({ activity: caller, input, policy }, nowMs)
    ? after(step.effects, takeUpInput(state, nowMs))
    : step;
}
