/**
 * The states in which the assistant has the floor: `thinking`, `speaking`, `paused`, `closing`. See `turn.rules.ts`.
 */
import { isFalseBargeIn, isInterruption } from './barge-in.rules.ts';
import { inputText } from './caller-input.rules.ts';
import { placeWords } from './late-words.rules.ts';
import { countWords } from './sentence-chunks.rules.ts';
import type { EventOf, StateIn, Step, TurnState } from './turn-state.ts';
import {
  after,
  afterSpeech,
  beginSpeech,
  endCall,
  enter,
  noteAsides,
  retryOrApologise,
  stay,
  yieldFloor,
} from './turn-steps.rules.ts';

/** The first sound of a turn must leave within this; a caller who waits longer thinks the line is dead. */
const FIRST_SOUND_MS = 3000;
/** The same for the second attempt, so that at most 5.5 s pass before the apology. */
const SECOND_ATTEMPT_MS = 2500;
/** A gap in the middle of a turn that is longer is a failure. */
const STALL_MS = 3000;
/** A goodbye whose sound does not come for so long is not waited for. */
const GOODBYE_STALL_MS = 5000;

type Silencing = 'thinking' | 'speaking' | 'paused';

/** thinking × line.ticked: the first sound has left, or does not come. */
export function tickWhileThinking(
  state: StateIn<'thinking'>,
  event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { turn, sinceMs } = state.phase;
  if (event.sentTurn === turn.number)
    return enter(state, { name: 'speaking', turn, lastSoundMs: nowMs, failedStage: null });
  const patienceMs = turn.attempt === 1 ? FIRST_SOUND_MS : SECOND_ATTEMPT_MS;
  if (nowMs - sinceMs < patienceMs) return stay(state);
  return retryOrApologise(state, { turn, stage: event.awaits ?? 'voice' }, nowMs);
}

/** thinking and speaking × voice.analysed: stage 1 of a barge-in. */
export function hearWhileSpeaking(state: StateIn<'thinking' | 'speaking'>): Step {
  if (!state.policy.canInterrupt || !state.caller.isSpeaking) return stay(state);
  const { phase } = state;
  const hasSounded = phase.name === 'speaking';
  const failedStage = phase.name === 'speaking' ? phase.failedStage : null;
  return enter(state, { name: 'paused', turn: phase.turn, hasSounded, failedStage }, { type: 'pause' });
}

/** thinking × words.recognised: the answer is being made to something that reads differently now. */
export function readWhileThinking(
  before: StateIn<'thinking'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects, belongTo } = placeWords(before, event, nowMs);
  const { turn } = before.phase;
  if (belongTo !== 'late' || turn.kind !== 'reply') return { state, effects };
  const cause = turn.cause && { ...turn.cause, finalMs: nowMs };
  return after(
    [...effects, { type: 'abort', turn: turn.number }],
    beginSpeech(state, { kind: 'reply', attempt: turn.attempt, cause }, nowMs),
  );
}

/** speaking and closing × words.recognised: noted, and nothing else. */
export function readWhileSpeaking(
  before: StateIn<'speaking' | 'closing'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects } = placeWords(before, event, nowMs);
  return { state, effects };
}

/** thinking, speaking and paused × key.pressed: a key always has the floor. */
export function keyWhileSpeaking(
  state: StateIn<Silencing>,
  _event: EventOf<'key.pressed'>,
  nowMs: number,
): Step {
  return yieldFloor(state, state.phase.turn, nowMs);
}

/** thinking, speaking and paused × reply.ended-call: what is being said is the goodbye. */
export function closeAfterReply(
  state: StateIn<Silencing>,
  event: EventOf<'reply.ended-call'>,
  nowMs: number,
): Step {
  const { turn, name } = state.phase;
  if (event.turn !== turn.number) return stay(state);
  const hangUp = { by: 'assistant', reason: 'end_call' } as const;
  const closing = enter(state, { name: 'closing', turn, lastSoundMs: nowMs, hangUp });
  return name === 'paused' ? after([{ type: 'resume' }], closing) : closing;
}

/** thinking × reply.failed: nothing was heard yet, so it can begin anew. */
export function failWhileThinking(
  state: StateIn<'thinking'>,
  event: EventOf<'reply.failed'>,
  nowMs: number,
): Step {
  const { turn } = state.phase;
  if (event.turn !== turn.number) return stay(state);
  return retryOrApologise(state, { turn, stage: event.stage }, nowMs);
}

/** thinking × reply.played: the model had nothing to say. A caller who waits for an answer is worth asking again. */
export function playedWhileThinking(
  state: StateIn<'thinking'>,
  event: EventOf<'reply.played'>,
  nowMs: number,
): Step {
  const { turn } = state.phase;
  if (event.turn !== turn.number) return stay(state);
  if (turn.kind === 'reply' && turn.attempt === 1)
    return beginSpeech(state, { kind: 'reply', attempt: 2, cause: turn.cause }, nowMs);
  return afterSpeech(state, turn, nowMs);
}

/** speaking × line.ticked: the sound goes on, or has stopped in the middle. */
export function tickWhileSpeaking(
  state: StateIn<'speaking'>,
  event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { phase } = state;
  if (event.sentTurn === phase.turn.number) return enter(state, { ...phase, lastSoundMs: nowMs });
  if (nowMs - phase.lastSoundMs < STALL_MS) return stay(state);
  const stage = phase.failedStage ?? event.awaits ?? 'voice';
  return retryOrApologise(state, { turn: phase.turn, stage }, nowMs);
}

/** speaking × reply.failed: what was made is still played; then the rest is tried again. */
export function failWhileSpeaking(state: StateIn<'speaking'>, event: EventOf<'reply.failed'>): Step {
  const { phase } = state;
  return event.turn === phase.turn.number
    ? enter(state, { ...phase, failedStage: event.stage })
    : stay(state);
}

/** speaking × reply.played. */
export function playedWhileSpeaking(
  state: StateIn<'speaking'>,
  event: EventOf<'reply.played'>,
  nowMs: number,
): Step {
  const { turn, failedStage } = state.phase;
  if (event.turn !== turn.number) return stay(state);
  if (failedStage !== null) return retryOrApologise(state, { turn, stage: failedStage }, nowMs);
  return afterSpeech(state, turn, nowMs);
}

/** paused × voice.analysed, paused × words.guessed: stage 2 of a barge-in. */
export function hearWhilePaused(state: StateIn<'paused'>, _event: unknown, nowMs: number): Step {
  return yieldIfInterrupted(state, state.phase, nowMs);
}

/** paused × words.recognised. */
export function readWhilePaused(
  before: StateIn<'paused'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects } = placeWords(before, event, nowMs);
  return after(effects, yieldIfInterrupted(state, before.phase, nowMs));
}

function yieldIfInterrupted(state: TurnState, phase: StateIn<'paused'>['phase'], nowMs: number): Step {
  const words = countWords(inputText(state.input));
  return isInterruption(state.caller, words, state.policy)
    ? yieldFloor(state, phase.turn, nowMs)
    : stay(state);
}

/** paused × line.ticked: it was no interruption; the sound goes on where it stopped. */
export function tickWhilePaused(
  state: StateIn<'paused'>,
  _event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  if (!isFalseBargeIn(state.caller, nowMs)) return stay(state);
  const { turn, hasSounded, failedStage } = state.phase;
  const noted = noteAsides(state);
  const phase = hasSounded
    ? ({ name: 'speaking', turn, lastSoundMs: nowMs, failedStage } as const)
    : ({ name: 'thinking', turn, sinceMs: nowMs } as const);
  return after(noted.effects, enter(noted.state, phase, { type: 'resume' }));
}

/** paused × reply.failed: the caller has the floor; their next turn is the next attempt. */
export function failWhilePaused(
  state: StateIn<'paused'>,
  event: EventOf<'reply.failed'>,
  nowMs: number,
): Step {
  const { turn } = state.phase;
  if (event.turn !== turn.number) return stay(state);
  return after([{ type: 'report-failure', stage: event.stage }], yieldFloor(state, turn, nowMs));
}

/** paused × reply.played: it had been said to its end, so the floor is the caller's. */
export function playedWhilePaused(
  state: StateIn<'paused'>,
  event: EventOf<'reply.played'>,
  nowMs: number,
): Step {
  const { turn } = state.phase;
  return event.turn === turn.number ? yieldFloor(state, turn, nowMs) : stay(state);
}

/** closing × line.ticked: nobody waits for a goodbye that does not come. */
export function tickWhileClosing(
  state: StateIn<'closing'>,
  event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { phase } = state;
  if (event.sentTurn === phase.turn.number) return enter(state, { ...phase, lastSoundMs: nowMs });
  return nowMs - phase.lastSoundMs < GOODBYE_STALL_MS ? stay(state) : endCall(state, phase.hangUp);
}

/** closing × reply.played: the goodbye was heard. */
export function playedWhileClosing(state: StateIn<'closing'>, event: EventOf<'reply.played'>): Step {
  const { phase } = state;
  return event.turn === phase.turn.number ? endCall(state, phase.hangUp) : stay(state);
}
