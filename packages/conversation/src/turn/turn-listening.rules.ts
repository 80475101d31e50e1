/**
 * Transitions of the states in which the caller speaks or may speak: `waiting`, `listening`, `ending`. See `turn.rules.ts`.
 */
import { mute } from '../recognition/caller-activity.rules.ts';
import { areWordsStanding, isTurnOver, isWordless } from '../recognition/endpointing.rules.ts';
import { placeWords } from './late-words.rules.ts';
import { draftReply } from './draft.rules.ts';
import { decideWhileQuiet } from './quiet.rules.ts';
import { hangUpAfter } from './second-hearing.rules.ts';
import type { EventOf, StateIn, Step } from './turn-state.ts';
import { after, beginClosing, beginSpeech, endCall, enter, stay, takeUpInput } from './turn-steps.rules.ts';

/** Turns that the assistant begins because of silence. */
const UNASKED = { greet: 'greeting', 'check-in': 'check-in', 'wrap-up': 'wrap-up' } as const;

/** waiting × line.ticked: checks what is due, and how long the line has been silent. */
export function tickWhileWaiting(
  state: StateIn<'waiting'>,
  _event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  if (state.isAnnouncementDue) return beginSpeech(state, { kind: 'announcement' }, nowMs);
  const decision = decideWhileQuiet(state.quiet, state.policy, nowMs);
  if (decision === 'wait') return stay(state);
  if (decision !== 'say-goodbye') return beginSpeech(state, { kind: UNASKED[decision] }, nowMs);
  const hangUp = { by: 'assistant', reason: 'silence_limit' } as const;
  return beginClosing(state, { kind: 'goodbye', hangUp }, nowMs);
}

/** waiting × voice.analysed: the caller begins to speak. */
export function hearWhileWaiting(state: StateIn<'waiting'>): Step {
  return state.caller.isSpeaking ? enter(state, { name: 'listening' }) : stay(state);
}

/** waiting × words.recognised: words for which the detector noticed no speech, or the rest of an earlier turn. */
export function readWhileWaiting(
  before: StateIn<'waiting'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects, belongTo } = placeWords(before, event, nowMs);
  if (belongTo !== 'now') return { state, effects };
  return draftReply(enter(state, { name: 'ending' }, ...effects), nowMs);
}

/** waiting × key.pressed: more keys may follow. */
export function keyWhileWaiting(
  state: StateIn<'waiting'>,
  _event: EventOf<'key.pressed'>,
  nowMs: number,
): Step {
  return endIfOver(enter(state, { name: 'ending' }), nowMs);
}

/** listening × voice.analysed: the caller pauses, or may be about to. */
export function hearWhileListening(state: StateIn<'listening'>, _event: unknown, nowMs: number): Step {
  return draftReply(state.caller.isSpeaking ? stay(state) : enter(state, { name: 'ending' }), nowMs);
}

/** listening × line.ticked: sound that is music, or a voice in the background, is no turn. The recogniser is asked once more whether it contained words. */
export function tickWhileListening(
  state: StateIn<'listening'>,
  _event: EventOf<'line.ticked'>,
  nowMs: number,
): Step {
  const { caller, policy } = state;
  const heard = { activity: caller, input: state.input };
  const isBackground = policy.hasGuesses && areWordsStanding(heard, nowMs);
  if (!isBackground && !isWordless(heard, policy.hasLateWords, nowMs)) return stay(state);
  const input = policy.recogniser ? { ...state.input, finalisedMs: nowMs } : state.input;
  const muted = { ...state, input, caller: mute(caller) };
  const effect = { type: 'finalise', speechFromMs: caller.startedMs } as const;
  return enter(muted, { name: 'ending' }, ...(policy.recogniser ? [effect] : []));
}

/** listening × words.recognised. */
export function readWhileListening(
  before: StateIn<'listening'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects } = placeWords(before, event, nowMs);
  return draftReply({ state, effects }, nowMs);
}

/** ending × voice.analysed: the caller continues, or the words have been stable for a while. */
export function hearWhileEnding(state: StateIn<'ending'>, _event: unknown, nowMs: number): Step {
  return state.caller.isSpeaking ? enter(state, { name: 'listening' }) : draftReply(stay(state), nowMs);
}

/** ending × line.ticked, ending × key.pressed: the turn may be over now. */
export function tickWhileEnding(
  state: StateIn<'ending'>,
  _event: EventOf<'line.ticked' | 'key.pressed'>,
  nowMs: number,
): Step {
  return endIfOver(stay(state), nowMs);
}

/** ending × words.recognised: the turn may be over with these words. */
export function readWhileEnding(
  before: StateIn<'ending'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects } = placeWords(before, event, nowMs);
  return draftReply(endIfOver({ state, effects }, nowMs), nowMs);
}

/** ending × turn-end.judged: the recogniser reports whether the caller has finished. */
export function judgeWhileEnding(
  state: StateIn<'ending'>,
  _event: EventOf<'turn-end.judged'>,
  nowMs: number,
): Step {
  return draftReply(endIfOver(stay(state), nowMs), nowMs);
}

function endIfOver(step: Step, nowMs: number): Step {
  const { state } = step;
  if (state.phase.name !== 'ending') return step;
  const { caller, input, policy, usualPauseMs, asked } = state;
  if (!isTurnOver({ activity: caller, input, policy, usualPauseMs, asked }, nowMs)) return step;
  const hangUp = hangUpAfter(state);
  return after(step.effects, hangUp ? endCall(state, hangUp) : takeUpInput(state, nowMs));
}
