/**
 * The state table of a conversation; pure functions. Time arrives as `line.ticked` every 20 ms of audio, so the rules set
 * no timers: a deadline is a number that is compared at every tick.
 *
 * - `ringing`: not answered. Waits for the answer. No timer; the ring limit of the leg ends it.
 * - `opening`: a call that we placed was answered. Waits for the end of the callee's first sound. Timers: the delay of the
 *   first message without a sound; 5 s of sound.
 * - `waiting`: neither side speaks, nothing is being generated. Waits for speech or a key. Timers: check-in
 *   (`re_engagement_interval`), goodbye (`max_silence_duration`), wrap-up (10 s before the end).
 * - `listening`: the caller speaks. Waits for a pause. Timers: 30 s of sound without a word is not speech; after a word, 2 s
 *   of sound without another one are not the caller's, if the recogniser sends interim results.
 * - `ending`: the caller has paused or pressed a key. Waits for more. Timers: the wait of `turn-end.rules.ts` after the
 *   last speech once the words are final, at most 3 s; 1 s after the last key.
 * - `thinking`: a turn of the assistant is being generated. Waits for its first word to be sent. Timers:
 *   `patience.rules.ts`.
 * - `speaking`: a turn is being played. Waits for its end. Timers: the same, from its last audio.
 * - `overlapped`: the caller speaks during our turn, which continues at a lower level or is paused. Waits for the decision
 *   whether it is an interruption, a backchannel or an early answer. Timer: playout resumes 2 s after the speech ended.
 * - `closing`: last words, which cannot be interrupted. Waits for them to be played. Timer: 3 s without audio. A caller who
 *   speaks over the goodbye of `end_call`, or of a silence, is heard once more (`second-hearing.rules.ts`).
 * - `machine`: a machine has answered. Waits for its beep. Timers: 2 s of silence, 30 s in all; then the message is left.
 * - `message`: the caller leaves a message after the tone. Timers: 8 s of silence, the longest message.
 * - `menu`: the caller chooses an assistant by key. Timer: 8 s, after which it is the first.
 * - `attended`: a person talks in place of the assistant (`supervision.rules.ts`). Waits for the call to be given back. No
 *   timer.
 * - `hung-up`: the far end has hung up. Waits for the words of the caller's last speech (`last-words.rules.ts`). Timer: 3 s,
 *   outside the table, because no frames come any more.
 * - `closed`: the conversation is over. All events are ignored.
 *
 * In every state between `ringing` and `closed`, the limit of the call (`max_call_duration`) hangs up exactly on time.
 * In all of them except `machine`, a request not to be called again leads to `closing` (`opt-out.rules.ts`).
 * While the far end has the call on hold, no other timer runs (`hold.rules.ts`).
 * Events that arrive late, twice or for an older turn have no effect.
 */
import { hearWindow, type CallerActivity } from '../recognition/caller-activity.rules.ts';
import { addKey, addSound, addSpeech } from '../recognition/caller-input.rules.ts';
import { learnPause } from '../recognition/turn-end.rules.ts';
import { countReplies } from './draft.rules.ts';
import { changeHold } from './hold.rules.ts';
import { endLine, readLastWords } from './last-words.rules.ts';
import { placeGuess } from './late-words.rules.ts';
import { hearMachine, readWhileClosing, tickWhileMachine } from './machine-steps.rules.ts';
import { countGreeting } from './greeting.rules.ts';
import { hearOptOut } from './opt-out.rules.ts';
import { tickWhileOpening } from './opening-steps.rules.ts';
import * as routed from './routed-steps.rules.ts';
import { recogniserFailedWhileAttended, supervise, tickWhileAttended } from './supervision.rules.ts';
import * as hearing from './turn-listening.rules.ts';
import * as overlap from './turn-overlap.rules.ts';
import * as floor from './turn-speaking.rules.ts';
import type { EventName, EventOf, PhaseName, StateIn, Step, TurnEvent, TurnState } from './turn-state.ts';
import { after, beginSpeech, close, endCall, enter, recogniserFailed, stay } from './turn-steps.rules.ts';

/**
 * A recogniser of whole utterances gets speech of this length in parts: the built-in one computes for 0.1 s for each second of
 * speech, and keeps only the last 20 s.
 */
const PART_MS = 8000;
/** They are divided at a pause that is longer than within a "t" or "b". */
const PART_PAUSE_MS = 96;

type Rule<N extends PhaseName, E extends EventName> = (
  state: StateIn<N>,
  event: EventOf<E>,
  nowMs: number,
) => Step;
type TurnTable = { readonly [N in PhaseName]: { readonly [E in EventName]: Rule<N, E> } };

const ignore = (state: TurnState): Step => stay(state);
const over = (state: TurnState): Step => close(state);
const hangUpRequested = (state: TurnState, event: EventOf<'hang-up.requested'>): Step =>
  endCall(state, { by: event.by ?? 'operator', reason: event.reason });
const recogniserGone = (state: TurnState, _event: unknown, nowMs: number): Step =>
  recogniserFailed(state, nowMs);

const TABLE: TurnTable = {
  ringing: {
    'line.answered': open,
    'line.ticked': ignore,
    'line.ended': over,
    'voice.analysed': ignore,
    'words.guessed': ignore,
    'words.recognised': ignore,
    'recogniser.failed': ignore,
    'turn-end.judged': ignore,
    'key.pressed': ignore,
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': hangUpRequested,
  },
  opening: {
    'line.answered': ignore,
    'line.ticked': tickWhileOpening,
    'line.ended': endLine,
    'voice.analysed': ignore, // answered by the first message when the sound has ended
    'words.guessed': ignore,
    'words.recognised': floor.readOnly,
    'recogniser.failed': recogniserGone,
    'turn-end.judged': ignore,
    'key.pressed': ignore, // the same
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': hangUpRequested,
  },
  waiting: {
    'line.answered': ignore,
    'line.ticked': hearing.tickWhileWaiting,
    'line.ended': endLine,
    'voice.analysed': hearing.hearWhileWaiting,
    'words.guessed': ignore,
    'words.recognised': hearing.readWhileWaiting,
    'recogniser.failed': recogniserGone,
    'turn-end.judged': ignore,
    'key.pressed': hearing.keyWhileWaiting,
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': hangUpRequested,
  },
  listening: {
    'line.answered': ignore,
    'line.ticked': hearing.tickWhileListening,
    'line.ended': endLine,
    'voice.analysed': hearing.hearWhileListening,
    'words.guessed': ignore,
    'words.recognised': hearing.readWhileListening,
    'recogniser.failed': recogniserGone,
    'turn-end.judged': ignore,
    'key.pressed': ignore, // the key is stored and becomes part of the turn
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': hangUpRequested,
  },
  ending: {
    'line.answered': ignore,
    'line.ticked': hearing.tickWhileEnding,
    'line.ended': endLine,
    'voice.analysed': hearing.hearWhileEnding,
    'words.guessed': ignore,
    'words.recognised': hearing.readWhileEnding,
    'recogniser.failed': recogniserGone,
    'turn-end.judged': hearing.judgeWhileEnding,
    'key.pressed': hearing.tickWhileEnding,
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': hangUpRequested,
  },
  thinking: {
    'line.answered': ignore,
    'line.ticked': floor.tickWhileThinking,
    'line.ended': endLine,
    'voice.analysed': overlap.hearWhileThinking,
    'words.guessed': ignore,
    'words.recognised': floor.readWhileThinking,
    'recogniser.failed': recogniserGone,
    'turn-end.judged': ignore,
    'key.pressed': floor.keyWhileSpeaking,
    'reply.ended-call': floor.closeAfterReply,
    'reply.failed': floor.failWhileThinking,
    'reply.played': floor.playedWhileThinking,
    'hang-up.requested': hangUpRequested,
  },
  speaking: {
    'line.answered': ignore,
    'line.ticked': floor.tickWhileSpeaking,
    'line.ended': endLine,
    'voice.analysed': overlap.hearWhileSpeaking,
    'words.guessed': overlap.guessWhileSpeaking,
    'words.recognised': overlap.readWhileSpeaking,
    'recogniser.failed': recogniserGone,
    'turn-end.judged': ignore,
    'key.pressed': floor.keyWhileSpeaking,
    'reply.ended-call': floor.closeAfterReply,
    'reply.failed': floor.failWhileSpeaking,
    'reply.played': floor.playedWhileSpeaking,
    'hang-up.requested': hangUpRequested,
  },
  overlapped: {
    'line.answered': ignore,
    'line.ticked': overlap.tickWhileOverlapped,
    'line.ended': endLine,
    'voice.analysed': overlap.hearWhileOverlapped,
    'words.guessed': overlap.hearWhileOverlapped,
    'words.recognised': overlap.readWhileOverlapped,
    'recogniser.failed': recogniserGone,
    'turn-end.judged': ignore,
    'key.pressed': floor.keyWhileSpeaking,
    'reply.ended-call': floor.closeAfterReply,
    'reply.failed': overlap.failWhileOverlapped,
    'reply.played': overlap.playedWhileOverlapped,
    'hang-up.requested': hangUpRequested,
  },
  closing: {
    'line.answered': ignore,
    'line.ticked': floor.tickWhileClosing,
    'line.ended': endLine,
    'voice.analysed': ignore, // recorded as an aside when the call is over
    'words.guessed': ignore,
    'words.recognised': readWhileClosing,
    'recogniser.failed': routed.replaceRecogniser,
    'turn-end.judged': ignore,
    'key.pressed': routed.keyWhileClosing,
    'reply.ended-call': ignore,
    'reply.failed': ignore, // `reply.played` follows
    'reply.played': floor.playedWhileClosing,
    'hang-up.requested': hangUpRequested,
  },
  machine: {
    'line.answered': ignore,
    'line.ticked': tickWhileMachine,
    'line.ended': endLine,
    'voice.analysed': ignore, // recorded as an aside when the message begins
    'words.guessed': ignore,
    'words.recognised': floor.readOnly,
    'recogniser.failed': ignore,
    'turn-end.judged': ignore,
    'key.pressed': ignore,
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': hangUpRequested,
  },
  message: {
    'line.answered': ignore,
    'line.ticked': routed.tickWhileMessage,
    'line.ended': endLine,
    'voice.analysed': ignore, // recorded as an aside when the call is over
    'words.guessed': ignore,
    'words.recognised': floor.readOnly,
    'recogniser.failed': routed.replaceRecogniser,
    'turn-end.judged': ignore,
    'key.pressed': routed.keyWhileMessage,
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': hangUpRequested,
  },
  menu: {
    'line.answered': ignore,
    'line.ticked': routed.tickWhileMenu,
    'line.ended': endLine,
    'voice.analysed': ignore, // the same
    'words.guessed': ignore,
    'words.recognised': floor.readOnly,
    'recogniser.failed': ignore,
    'turn-end.judged': ignore,
    'key.pressed': routed.keyWhileMenu,
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': hangUpRequested,
  },
  attended: {
    'line.answered': ignore,
    'line.ticked': tickWhileAttended,
    'line.ended': endLine,
    'voice.analysed': ignore, // recorded when the turn is over
    'words.guessed': ignore,
    'words.recognised': floor.readOnly,
    'recogniser.failed': recogniserFailedWhileAttended,
    'turn-end.judged': ignore,
    'key.pressed': ignore, // the key is stored and becomes part of the turn
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': hangUpRequested,
  },
  'hung-up': {
    'line.answered': ignore,
    'line.ticked': ignore,
    'line.ended': over, // the words have not come in time
    'voice.analysed': ignore,
    'words.guessed': ignore,
    'words.recognised': readLastWords,
    'recogniser.failed': over,
    'turn-end.judged': ignore,
    'key.pressed': ignore,
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': over,
  },
  closed: {
    'line.answered': ignore,
    'line.ticked': ignore,
    'line.ended': ignore,
    'voice.analysed': ignore,
    'words.guessed': ignore,
    'words.recognised': ignore,
    'recogniser.failed': ignore,
    'turn-end.judged': ignore,
    'key.pressed': ignore,
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': ignore,
  },
};

/**
 * The transition for `event` in `state`. Never throws, because in a live call any event may arrive late or twice.
 *
 * @param nowMs - milliseconds of call audio; never decreases
 */
export function decideTurn(state: TurnState, event: TurnEvent, nowMs: number): Step {
  return countReplies(decide(state, event, nowMs));
}

function decide(state: TurnState, event: TurnEvent, nowMs: number): Step {
  if (event.type === 'machine.answered' || event.type === 'machine.beeped')
    return hearMachine(state, event, nowMs);
  if (event.type === 'words.ended') return stay(noteWordGap(state, nowMs));
  if (event.type === 'announcement.requested' || event.type === 'line.attended' || event.type === 'whispered')
    return supervise(state, event, nowMs);
  if (event.type === 'line.held') return changeHold(state, event.isHeld, nowMs);
  const { name } = state.phase;
  if (name === 'ringing' || name === 'closed') return lookUp(state, event)(state, event, nowMs);
  if (event.type === 'line.ticked' && nowMs >= state.policy.maxCallMs)
    return endCall(state, { by: 'limit', reason: 'duration_limit' });
  // A frame that was sent before the hold took effect still counts.
  if (event.type === 'line.ticked' && state.heldSinceMs !== null && event.sentTurn === 0) return stay(state);
  const observed = observe(state, event, nowMs);
  const step = hearOptOut(observed.state, event, nowMs) ?? lookUp(state, event)(observed.state, event, nowMs);
  return after(observed.effects, step);
}

/** The table entry. The table guarantees that it accepts this phase and event, which TypeScript cannot express. */
function lookUp(
  state: TurnState,
  event: EventOf<EventName>,
): (state: TurnState, event: TurnEvent, nowMs: number) => Step {
  return TABLE[state.phase.name][event.type] as (state: TurnState, event: TurnEvent, nowMs: number) => Step;
}

/** The next tick decides whether the turn is over. */
function noteWordGap(state: TurnState, nowMs: number): TurnState {
  const { input } = state;
  return input.startedMs === null ? state : { ...state, input: { ...input, wordGapMs: nowMs } };
}

/** What is recorded of the caller in every state. */
function observe(state: TurnState, event: TurnEvent, nowMs: number): Step {
  const { input } = state;
  if (event.type === 'voice.analysed') return hear(state, event, nowMs);
  if (event.type === 'line.ticked')
    return stay({ ...state, input: addSound(input, event), greeting: countGreeting(state, event) });
  if (event.type === 'key.pressed') return stay({ ...state, input: addKey(input, event.digit, nowMs) });
  if (event.type === 'words.guessed') return stay(placeGuess(state, event.text, nowMs));
  if (event.type === 'turn-end.judged' && input.startedMs !== null) {
    const doneMs = event.isDefinite ? nowMs : null;
    return stay({ ...state, input: { ...input, doneConfidence: event.confidence, doneMs } });
  }
  return stay(state);
}

/** Tracks the caller's speech; at a pause the recogniser is asked for a final, even while the assistant speaks. */
function hear(state: TurnState, event: EventOf<'voice.analysed'>, nowMs: number): Step {
  const { caller, policy } = state;
  const heard = hearWindow(caller, event, policy.segmentPauseMs);
  const isResumed = !caller.isSpeaking && heard.isSpeaking;
  const spoken = addSpeech(state.input, caller, heard);
  const input = isResumed ? { ...spoken, doneConfidence: null, doneMs: null } : spoken;
  const next = { ...state, caller: heard, input, usualPauseMs: usualPause(state, heard) };
  if (policy.recogniser === null || !isNewPause(caller, next)) return stay(next);
  const effect = { type: 'finalise', speechFromMs: heard.startedMs } as const;
  return { state: { ...next, input: { ...input, finalisedMs: nowMs } }, effects: [effect] };
}

/** The pause may still be uncertain. The recogniser is asked once per pause. */
function isNewPause(before: CallerActivity, { caller, input, policy }: TurnState): boolean {
  const finalisedMs = input.finalisedMs ?? 0;
  const isLong =
    policy.hasLateWords && caller.analysedMs - Math.max(caller.startedMs, finalisedMs) >= PART_MS;
  const afterMs = isLong ? Math.min(PART_PAUSE_MS, policy.finaliseAfterMs) : policy.finaliseAfterMs;
  if (!before.isSpeaking || caller.analysedMs - caller.lastSpeechMs < afterMs) return false;
  return input.finalisedMs === null || finalisedMs < caller.lastSpeechMs;
}

/** When a caller continues within a turn, the length of the pause is learned. */
function usualPause(state: TurnState, heard: CallerActivity): number | null {
  const { caller, input, usualPauseMs } = state;
  const isResumed = !caller.isSpeaking && heard.isSpeaking && input.speechMs > 0;
  return isResumed ? learnPause(usualPauseMs, heard.startedMs - caller.lastSpeechMs) : usualPauseMs;
}

function open(state: StateIn<'ringing'>, _event: EventOf<'line.answered'>, nowMs: number): Step {
  const quiet = { ...state.quiet, sinceMs: nowMs, callerSilentSinceMs: nowMs };
  const next = { ...state, quiet };
  const { answering, opening, greetingDelayMs } = state.policy;
  if (answering !== null) return routed.beginRouted(next, nowMs);
  const isCallersTurn = opening === 'caller' && !state.disclosure.isDue;
  if (isCallersTurn) return enter(next, { name: 'waiting' });
  if (greetingDelayMs !== null) return enter(next, { name: 'opening', sinceMs: nowMs });
  return beginSpeech(next, { kind: opening === 'caller' ? 'disclosure' : opening }, nowMs);
}
