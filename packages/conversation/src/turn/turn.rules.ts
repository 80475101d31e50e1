/**
 * Who has the floor: the state table of a conversation, pure. Time arrives as `line.ticked` every 20 ms of sound, so
 * no rule sets a timer and none can be left behind; a deadline is a number compared at a tick.
 *
 * - `ringing`: not answered. Waits for the answer. No timer; the leg's ring limit ends it.
 * - `waiting`: nobody speaks, nothing is being made. Waits for the caller's voice or key. Timers: check-in
 *   (`re_engagement_interval`), goodbye (`max_silence_duration`), wrap-up (10 s before the end).
 * - `listening`: the caller speaks. Waits for a pause. Timer: 30 s without a word is no speech.
 * - `ending`: the caller has paused or pressed a key. Waits for more of it. Timers: the wait of `turn-end.rules.ts` after
 *   the last speech, with the words settled, 3 s at the latest; 1 s after the last key.
 * - `thinking`: a turn of ours is being made. Waits for its first word to be sent. Timers: `patience.rules.ts`.
 * - `speaking`: a turn is heard. Waits for its end. Timers: the same, from its last sound.
 * - `paused`: the caller speaks into our turn; playout stands still. Waits to see whether they mean it. Timer: 2 s
 *   after their speech ended we go on.
 * - `closing`: last words, which nothing interrupts. Waits for them to be heard. Timer: 5 s without sound.
 * - `machine`: a machine has answered. Waits for its beep. Timers: 2 s of silence, 30 s in all; then the message is left.
 * - `closed`: over. Everything is ignored.
 *
 * In every state between `ringing` and `closed` the call's limit (`max_call_duration`) hangs up at its instant.
 * What arrives late, twice or for an older turn changes nothing.
 */
import { hearWindow, unmute, type CallerActivity } from '../hearing/caller-activity.rules.ts';
import { addInterim, addKey, addSpeech } from '../hearing/caller-input.rules.ts';
import { learnPause } from '../hearing/turn-end.rules.ts';
import { hearMachine, readWhileClosing, tickWhileMachine } from './machine-steps.rules.ts';
import * as hearing from './turn-listening.rules.ts';
import * as floor from './turn-speaking.rules.ts';
import type { EventName, EventOf, PhaseName, StateIn, Step, TurnEvent, TurnState } from './turn-state.ts';
import { after, beginSpeech, close, endCall, enter, recogniserFailed, stay } from './turn-steps.rules.ts';

type Rule<N extends PhaseName, E extends EventName> = (
  state: StateIn<N>,
  event: EventOf<E>,
  nowMs: number,
) => Step;
type TurnTable = { readonly [N in PhaseName]: { readonly [E in EventName]: Rule<N, E> } };

const ignore = (state: TurnState): Step => stay(state);
const lineEnded = (state: TurnState): Step => close(state);
const hangUpRequested = (state: TurnState, event: EventOf<'hang-up.requested'>): Step =>
  endCall(state, { by: event.by ?? 'operator', reason: event.reason });
const recogniserGone = (state: TurnState, _event: unknown, nowMs: number): Step =>
  recogniserFailed(state, nowMs);

const TABLE: TurnTable = {
  ringing: {
    'line.answered': open,
    'line.ticked': ignore,
    'line.ended': lineEnded,
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
  waiting: {
    'line.answered': ignore,
    'line.ticked': hearing.tickWhileWaiting,
    'line.ended': lineEnded,
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
    'line.ended': lineEnded,
    'voice.analysed': hearing.hearWhileListening,
    'words.guessed': ignore,
    'words.recognised': hearing.readWhileListening,
    'recogniser.failed': recogniserGone,
    'turn-end.judged': ignore,
    'key.pressed': ignore, // the key is noted and taken up with the speech
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': hangUpRequested,
  },
  ending: {
    'line.answered': ignore,
    'line.ticked': hearing.tickWhileEnding,
    'line.ended': lineEnded,
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
    'line.ended': lineEnded,
    'voice.analysed': floor.hearWhileSpeaking,
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
    'line.ended': lineEnded,
    'voice.analysed': floor.hearWhileSpeaking,
    'words.guessed': ignore,
    'words.recognised': floor.readWhileSpeaking,
    'recogniser.failed': recogniserGone,
    'turn-end.judged': ignore,
    'key.pressed': floor.keyWhileSpeaking,
    'reply.ended-call': floor.closeAfterReply,
    'reply.failed': floor.failWhileSpeaking,
    'reply.played': floor.playedWhileSpeaking,
    'hang-up.requested': hangUpRequested,
  },
  paused: {
    'line.answered': ignore,
    'line.ticked': floor.tickWhilePaused,
    'line.ended': lineEnded,
    'voice.analysed': floor.hearWhilePaused,
    'words.guessed': floor.hearWhilePaused,
    'words.recognised': floor.readWhilePaused,
    'recogniser.failed': recogniserGone,
    'turn-end.judged': ignore,
    'key.pressed': floor.keyWhileSpeaking,
    'reply.ended-call': floor.closeAfterReply,
    'reply.failed': floor.failWhilePaused,
    'reply.played': floor.playedWhilePaused,
    'hang-up.requested': hangUpRequested,
  },
  closing: {
    'line.answered': ignore,
    'line.ticked': floor.tickWhileClosing,
    'line.ended': lineEnded,
    'voice.analysed': ignore, // noted as an aside when the call is over
    'words.guessed': ignore,
    'words.recognised': readWhileClosing,
    'recogniser.failed': ignore,
    'turn-end.judged': ignore,
    'key.pressed': ignore,
    'reply.ended-call': ignore,
    'reply.failed': ignore, // `reply.played` follows
    'reply.played': floor.playedWhileClosing,
    'hang-up.requested': hangUpRequested,
  },
  machine: {
    'line.answered': ignore,
    'line.ticked': tickWhileMachine,
    'line.ended': lineEnded,
    'voice.analysed': ignore, // noted as an aside when the message begins
    'words.guessed': ignore,
    'words.recognised': floor.readWhileSpeaking,
    'recogniser.failed': ignore,
    'turn-end.judged': ignore,
    'key.pressed': ignore,
    'reply.ended-call': ignore,
    'reply.failed': ignore,
    'reply.played': ignore,
    'hang-up.requested': hangUpRequested,
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
 * What follows when `event` happens in `state`. Never throws: on a live line everything may come late or twice.
 *
 * @param nowMs - milliseconds of the call's sound; never less than before
 */
export function decideTurn(state: TurnState, event: TurnEvent, nowMs: number): Step {
  if (event.type === 'machine.answered' || event.type === 'machine.beeped')
    return hearMachine(state, event, nowMs);
  const { name } = state.phase;
  if (name === 'ringing' || name === 'closed') return lookUp(state, event)(state, event, nowMs);
  if (event.type === 'line.ticked' && nowMs >= state.policy.maxCallMs)
    return endCall(state, { by: 'limit', reason: 'duration_limit' });
  const observed = observe(state, event, nowMs);
  return after(observed.effects, lookUp(state, event)(observed.state, event, nowMs));
}

/** The cell of the table. Its types say that it takes this very phase and event; TypeScript cannot pair them. */
function lookUp(
  state: TurnState,
  event: EventOf<EventName>,
): (state: TurnState, event: TurnEvent, nowMs: number) => Step {
  return TABLE[state.phase.name][event.type] as (state: TurnState, event: TurnEvent, nowMs: number) => Step;
}

/** What is noted of the caller whatever the state. */
function observe(state: TurnState, event: TurnEvent, nowMs: number): Step {
  const { input } = state;
  if (event.type === 'voice.analysed') return hear(state, event, nowMs);
  if (event.type === 'key.pressed') return stay({ ...state, input: addKey(input, event.digit, nowMs) });
  // A guess without a voice belongs to the turn before: its final will tell.
  if (event.type === 'words.guessed' && input.startedMs !== null)
    return stay({
      ...state,
      input: addInterim(input, event.text, nowMs),
      caller: event.text.trim() === '' ? state.caller : unmute(state.caller),
    });
  if (event.type === 'turn-end.judged' && input.startedMs !== null)
    return stay({ ...state, input: { ...input, doneConfidence: event.confidence } });
  return stay(state);
}

/** Follows the caller's voice; as soon as it pauses the recogniser is asked what it was, whoever has the floor. */
function hear(state: TurnState, event: EventOf<'voice.analysed'>, nowMs: number): Step {
  const { caller, policy } = state;
  const heard = hearWindow(caller, event, policy.segmentPauseMs);
  const isResumed = !caller.isSpeaking && heard.isSpeaking;
  const spoken = addSpeech(state.input, caller, heard);
  const input = isResumed ? { ...spoken, doneConfidence: null } : spoken;
  const next = { ...state, caller: heard, input, usualPauseMs: usualPause(state, heard) };
  if (policy.recogniser === null || !isNewPause(caller, next)) return stay(next);
  return { state: { ...next, input: { ...input, finalisedMs: nowMs } }, effects: [{ type: 'finalise' }] };
}

/** The pause may be no more than likely yet. It is asked about once, unless there was sound since. */
function isNewPause(before: CallerActivity, { caller, input, policy }: TurnState): boolean {
  if (!before.isSpeaking || caller.analysedMs - caller.lastSpeechMs < policy.finaliseAfterMs) return false;
  return input.finalisedMs === null || input.finalisedMs < caller.lastSpeechMs;
}

/** A caller who goes on within their turn shows how long they pause. */
function usualPause(state: TurnState, heard: CallerActivity): number | null {
  const { caller, input, usualPauseMs } = state;
  const isResumed = !caller.isSpeaking && heard.isSpeaking && input.speechMs > 0;
  return isResumed ? learnPause(usualPauseMs, heard.startedMs - caller.lastSpeechMs) : usualPauseMs;
}

function open(state: StateIn<'ringing'>, _event: EventOf<'line.answered'>, nowMs: number): Step {
  const quiet = { ...state.quiet, sinceMs: nowMs, callerSilentSinceMs: nowMs };
  if (state.policy.opening === 'caller') return enter({ ...state, quiet }, { name: 'waiting' });
  return beginSpeech({ ...state, quiet }, { kind: state.policy.opening }, nowMs);
}
