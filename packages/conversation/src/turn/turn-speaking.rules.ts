/**
 * Transitions of the states in which the assistant has the floor: `thinking`, `speaking`, `closing`. Those of `overlapped`
 * are in `turn-overlap.rules.ts`. See `turn.rules.ts`.
 */
import { moodOf } from '../recognition/caller-words.rules.ts';
import { placeWords } from './late-words.rules.ts';
import { afterDisclosure } from './disclosure.rules.ts';
import { isAside } from './early-answer.rules.ts';
import { afterRoutedText } from './routed-steps.rules.ts';
import { endOrListen } from './second-hearing.rules.ts';
import { beginWait, decideWait, rememberDelay, waitOn } from './patience.rules.ts';
import type {
  AssistantTurn,
  Awaits,
  EventOf,
  FillerKind,
  HangUp,
  Stage,
  StateIn,
  Step,
} from './turn-state.ts';
import {
  after,
  afterSpeech,
  beginSpeech,
  endCall,
  enter,
  giveUp,
  isDisclosing,
  setAside,
  retryOrApologise,
  stay,
  yieldFloor,
} from './turn-steps.rules.ts';

/** How long the end of the call waits for last words without audio. */
const CLOSING_STALL_MS = 3000;

type Silencing = 'thinking' | 'speaking' | 'overlapped';

/** thinking × line.ticked: the first word was sent, or is still missing. */
export function tickWhileThinking(
  state: StateIn<'thinking'>,
  event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { turn } = state.phase;
  if (event.sentTurn !== turn.number || event.isFiller) return waitForWords(state, event, nowMs);
  const isUsual = turn.kind === 'reply' && turn.attempt === 1 && turn.cause !== null;
  const replyDelaysMs = isUsual
    ? rememberDelay(state.replyDelaysMs, nowMs - (turn.cause?.turnEndMs ?? nowMs))
    : state.replyDelaysMs;
  const wait = beginWait(nowMs, null);
  return enter(
    { ...state, replyDelaysMs, soundedMs: nowMs },
    { name: 'speaking', turn, wait, failedStage: null },
  );
}

/** speaking × line.ticked: the audio continues, or has stopped in the middle. */
export function tickWhileSpeaking(
  state: StateIn<'speaking'>,
  event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { phase } = state;
  if (event.sentTurn !== phase.turn.number || event.isFiller) return waitForWords(state, event, nowMs);
  const noted = isAside(state, nowMs) && !isDisclosing(state) ? setAside(state) : stay(state);
  return after(noted.effects, enter(noted.state, { ...phase, wait: beginWait(nowMs, null) }));
}

/** No speech was sent in this frame: wait, play a filler, replace the provider, or end the call. */
function waitForWords(
  before: StateIn<'thinking' | 'speaking'>,
  event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { awaits, sentTurn, isFiller } = event;
  const wait = waitOn(before.phase.wait, { hasFiller: sentTurn !== 0 && isFiller, awaits }, nowMs);
  const state = { ...before, phase: { ...before.phase, wait } };
  const { phase, policy, replyDelaysMs } = state;
  const { turn } = phase;
  const hasSounded = phase.name === 'speaking';
  const { areFillersOn } = policy;
  const view = { ...turn, wait, awaits, hasSounded, areFillersOn, replyDelaysMs };
  switch (decideWait(view, nowMs)) {
    case 'wait':
      return stay(state);
    case 'fill':
      return fill(state, awaits, nowMs);
    case 'replace':
      return replace(state, blame(state, event), nowMs);
    case 'apologise':
      return giveUp(state, { turn, stage: blame(state, event) }, nowMs);
  }
}

function fill(state: StateIn<'thinking' | 'speaking'>, awaits: Awaits, nowMs: number): Step {
  const { phase } = state;
  const wait = { ...phase.wait, fillerAskedMs: nowMs };
  const kind = fillerKind(state, awaits);
  return enter(state, { ...phase, wait }, { type: 'fill', turn: phase.turn.number, kind });
}

/** First the owner's filler for the caller's mood, then a general one. */
function fillerKind({ phase, policy, taken }: StateIn<'thinking' | 'speaking'>, awaits: Awaits): FillerKind {
  if (!policy.areFillersOn) return 'hold';
  const isAnswer = phase.turn.kind === 'reply' && phase.wait.fillerAskedMs === null;
  if (isAnswer) return moodOf(taken?.text ?? '', policy.language);
  return awaits === 'tool' ? 'work' : 'hold';
}

/** A voice is replaced within the turn, so that no word is lost or repeated; for a model the turn starts again. */
function replace(state: StateIn<'thinking' | 'speaking'>, stage: Stage, nowMs: number): Step {
  const { phase } = state;
  const { wait } = phase;
  if (stage !== 'voice') return retryOrApologise(state, { turn: phase.turn, stage, wait }, nowMs);
  const turn: AssistantTurn = { ...phase.turn, attempt: 2 };
  return enter(
    state,
    { ...phase, turn, wait: { ...wait, wordsDueMs: nowMs } },
    { type: 'replace-voice', turn: turn.number },
  );
}

function blame({ phase }: StateIn<'thinking' | 'speaking'>, { awaits }: EventOf<'line.ticked'>): Stage {
  const failed = phase.name === 'speaking' ? phase.failedStage : null;
  return failed ?? (awaits === 'model' ? 'model' : 'voice');
}

/** thinking × words.recognised: the reply is being generated for words that have changed. */
export function readWhileThinking(
  before: StateIn<'thinking'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects, belongTo } = placeWords(before, event, nowMs);
  const { turn } = before.phase;
  const hasHeardItself = state.policy.recogniser?.isModel ?? false;
  if (belongTo !== 'late' || turn.kind !== 'reply' || hasHeardItself) return { state, effects };
  const cause = turn.cause && { ...turn.cause, finalMs: nowMs };
  const speech = { kind: 'reply', attempt: turn.attempt, cause, wait: before.phase.wait } as const;
  return after([...effects, { type: 'abort', turn: turn.number }], beginSpeech(state, speech, nowMs));
}

/** opening, closing, machine, message, menu and attended × words.recognised: only recorded. */
export function readOnly(
  before: StateIn<'opening' | 'closing' | 'machine' | 'message' | 'menu' | 'attended'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects } = placeWords(before, event, nowMs);
  return { state, effects };
}

/** thinking, speaking and overlapped × key.pressed: a key always interrupts, except the disclosure message. */
export function keyWhileSpeaking(
  state: StateIn<Silencing>,
  _event: EventOf<'key.pressed'>,
  nowMs: number,
): Step {
  return isDisclosing(state) ? stay(state) : yieldFloor(state, state.phase.turn, nowMs);
}

/** thinking, speaking and overlapped × reply.ended-call: the current turn is the goodbye. */
export function closeAfterReply(
  state: StateIn<Silencing>,
  event: EventOf<'reply.ended-call'>,
  nowMs: number,
): Step {
  const { turn, name } = state.phase;
  if (event.turn !== turn.number) return stay(state);
  const { nextAssistantId } = event;
  const hangUp: HangUp =
    nextAssistantId === undefined
      ? { by: 'assistant', reason: 'end_call' }
      : { by: 'assistant', reason: 'assistant_transfer', nextAssistantId };
  const closing = enter(state, { name: 'closing', turn, lastSoundMs: nowMs, hangUp });
  return name === 'overlapped' ? after([{ type: 'resume' }], closing) : closing;
}

/** thinking × reply.failed: nothing was heard yet, so the turn can start again. */
export function failWhileThinking(
  state: StateIn<'thinking'>,
  event: EventOf<'reply.failed'>,
  nowMs: number,
): Step {
  const { turn, wait } = state.phase;
  if (event.turn !== turn.number) return stay(state);
  return retryOrApologise(state, { turn, stage: event.stage, wait }, nowMs);
}

/** thinking × reply.played: the reply was empty. If the caller waits for it, the model is asked once more. */
export function playedWhileThinking(
  state: StateIn<'thinking'>,
  event: EventOf<'reply.played'>,
  nowMs: number,
): Step {
  const { turn, wait } = state.phase;
  if (event.turn !== turn.number) return stay(state);
  if (turn.kind === 'disclosure' || turn.kind === 'announcement')
    return retryOrApologise(state, { turn, stage: 'voice', wait }, nowMs);
  if (turn.kind === 'reply' && turn.attempt === 1)
    return beginSpeech(state, { kind: 'reply', attempt: 2, cause: turn.cause, wait }, nowMs);
  return afterSpeech(state, turn, { nowMs, text: event.text });
}

/** speaking × reply.failed: queued audio is still played; then the rest is tried again. */
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
  const { turn, failedStage, wait } = state.phase;
  if (event.turn !== turn.number) return stay(state);
  if (failedStage !== null) return retryOrApologise(state, { turn, stage: failedStage, wait }, nowMs);
  if (turn.kind === 'disclosure') return afterDisclosure(state, nowMs);
  return afterSpeech(state, turn, { nowMs, text: event.text });
}

/** closing × line.ticked: ends the call if the last words are not played in time. */
export function tickWhileClosing(
  state: StateIn<'closing'>,
  event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { phase } = state;
  if (event.sentTurn === phase.turn.number) return enter(state, { ...phase, lastSoundMs: nowMs });
  if (nowMs - phase.lastSoundMs < CLOSING_STALL_MS) return stay(state);
  const abort = { type: 'abort', turn: phase.turn.number } as const;
  const next = afterRoutedText(state, nowMs);
  return next ? after([abort], next) : endCall(state, phase.hangUp);
}

/** closing × reply.played: the goodbye was played. */
export function playedWhileClosing(
  state: StateIn<'closing'>,
  event: EventOf<'reply.played'>,
  nowMs: number,
): Step {
  if (event.turn !== state.phase.turn.number) return stay(state);
  return afterRoutedText(state, nowMs) ?? endOrListen(state, nowMs);
}
