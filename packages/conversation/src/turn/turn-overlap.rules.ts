/**
 * Transitions while the caller speaks over the assistant. Speech over a turn that sounds first lowers its level; if it lasts
 * longer than a backchannel, playout is paused. A reply that has not sounded yet is paused at once. See `turn.rules.ts`.
 */
import { hasContinued, isFalseBargeIn, isInterruption, isStillAsking, mustHold } from './barge-in.rules.ts';
import { placeWords } from './late-words.rules.ts';
import { beginWait } from './patience.rules.ts';
import type { AssistantTurn, EventOf, StateIn, Step, TurnState } from './turn-state.ts';
import { after, afterSpeech, enter, noteAsides, stay, yieldFloor } from './turn-steps.rules.ts';

/** People begin to answer 200 ms after what they hear, which takes 100 ms or more to them and back. */
const REACTION_MS = 300;

/** Whether speech may stop that turn. Keys always do. */
function canInterrupt({ policy }: TurnState, turn: AssistantTurn): boolean {
  if (turn.kind === 'disclosure') return false;
  return policy.canInterrupt && (turn.kind !== 'greeting' || policy.canInterruptGreeting);
}

/** thinking × voice.analysed: the reply is held back until it is clear what the caller says. */
export function hearWhileThinking(state: StateIn<'thinking'>): Step {
  const { turn, wait } = state.phase;
  if (!canInterrupt(state, turn) || !state.caller.isSpeaking) return stay(state);
  const stage = { turn, hasSounded: false, wordsDueMs: wait.wordsDueMs, failedStage: null };
  return enter(state, { name: 'overlapped', ...stage, isHeld: true }, { type: 'pause' });
}

/** speaking × voice.analysed: stage 1 of a barge-in. */
export function hearWhileSpeaking(state: StateIn<'speaking'>): Step {
  const { turn, wait, failedStage } = state.phase;
  if (!canInterrupt(state, turn) || !state.caller.isSpeaking) return stay(state);
  const stage = { turn, hasSounded: true, wordsDueMs: wait.wordsDueMs, failedStage };
  return enter(state, { name: 'overlapped', ...stage, isHeld: false }, { type: 'lower' });
}

/** speaking × words.guessed: words of speech that was too short for an interruption, for example "stop". */
export function guessWhileSpeaking(state: StateIn<'speaking'>, _event: unknown, nowMs: number): Step {
  return yieldIfTold(state, state.phase.turn, nowMs);
}

/** speaking × words.recognised. */
export function readWhileSpeaking(
  before: StateIn<'speaking'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects, belongTo } = placeWords(before, event, nowMs);
  return belongTo === 'now'
    ? after(effects, yieldIfTold(state, before.phase.turn, nowMs))
    : { state, effects };
}

/** Words that arrive after their speech may still make it an interruption. */
function yieldIfTold(state: TurnState, turn: AssistantTurn, nowMs: number): Step {
  const { caller, input, policy } = state;
  const hasSpoken = input.startedMs !== null && caller.startedMs >= input.startedMs;
  const isTold =
    canInterrupt(state, turn) &&
    hasSpoken &&
    (isInterruption({ caller, input }, policy) || continues(state, turn));
  return isTold ? yieldFloor(state, turn, nowMs) : stay(state);
}

/** Whether speech that began too early to react to the reply continues the caller's turn, so that the reply lacks it. */
function continues(state: TurnState, turn: AssistantTurn): boolean {
  const { input, policy, soundedMs } = state;
  if (turn.kind !== 'reply' || input.startedMs === null || input.startedMs > soundedMs + REACTION_MS)
    return false;
  return hasContinued(state, policy) && !isStillAsking(state, policy);
}

/** overlapped × voice.analysed, overlapped × words.guessed: stage 2 of a barge-in. */
export function hearWhileOverlapped(state: StateIn<'overlapped'>, _event: unknown, nowMs: number): Step {
  return yieldIfInterrupted(state, state.phase, nowMs);
}

/** overlapped × words.recognised. With the next tick, the turn of a caller who has got the floor may be over; by then the aborted one is in the history. */
export function readWhileOverlapped(
  before: StateIn<'overlapped'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects } = placeWords(before, event, nowMs);
  return after(effects, yieldIfInterrupted(state, before.phase, nowMs));
}

function yieldIfInterrupted(state: TurnState, phase: StateIn<'overlapped'>['phase'], nowMs: number): Step {
  if (!phase.hasSounded && isStillAsking(state, state.policy)) return stay(state);
  const isContinued = phase.hasSounded ? continues(state, phase.turn) : hasContinued(state, state.policy);
  if (isContinued || isInterruption(state, state.policy)) return yieldFloor(state, phase.turn, nowMs);
  if (phase.isHeld || !mustHold(state, state.policy)) return stay(state);
  return enter(state, { ...phase, isHeld: true }, { type: 'pause' });
}

/**
 * overlapped × line.ticked: if it was no interruption, the assistant continues. Until it finishes, it is open whether the
 * speech was a backchannel or an early answer.
 */
export function tickWhileOverlapped(
  state: StateIn<'overlapped'>,
  { awaits }: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { turn, hasSounded, wordsDueMs, isHeld, failedStage } = state.phase;
  const canHaveWords = isHeld && state.policy.recogniser !== null;
  if (canHaveWords ? !isFalseBargeIn(state, nowMs) : state.caller.isSpeaking) return stay(state);
  const wait = beginWait(nowMs, isHeld ? state.caller.lastSpeechMs : null);
  if (hasSounded) return enter(state, { name: 'speaking', turn, wait, failedStage }, { type: 'resume' });
  const noted = noteAsides(state);
  // A model that has delivered nothing is replaced as if the caller had waited in silence.
  const kept = awaits === 'model' ? { ...wait, wordsDueMs } : wait;
  return after(noted.effects, enter(noted.state, { name: 'thinking', turn, wait: kept }, { type: 'resume' }));
}

/** overlapped × reply.failed: the caller gets the floor; the reply to their next turn is the next attempt. */
export function failWhileOverlapped(
  state: StateIn<'overlapped'>,
  event: EventOf<'reply.failed'>,
  nowMs: number,
): Step {
  const { turn } = state.phase;
  if (event.turn !== turn.number) return stay(state);
  return after([{ type: 'report-failure', stage: event.stage }], yieldFloor(state, turn, nowMs));
}

/** overlapped × reply.played: the complete turn was sent before it was clear what the caller says. */
export function playedWhileOverlapped(
  state: StateIn<'overlapped'>,
  event: EventOf<'reply.played'>,
  nowMs: number,
): Step {
  const { turn, failedStage } = state.phase;
  if (event.turn !== turn.number) return stay(state);
  if (failedStage !== null) return yieldFloor(state, turn, nowMs);
  return after([{ type: 'resume' }], afterSpeech(state, turn, { nowMs, text: event.text }));
}
