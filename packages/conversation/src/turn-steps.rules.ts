/**
 * The moves a conversation is made of, shared by the states: begin to speak, take up what the caller said, give up
 * the floor, retry, end. Each answers the new state and what is to be done.
 */
import { inputText, NO_INPUT, utterancesOf } from './caller-input.rules.ts';
import { hasCoveringFinal } from './endpointing.rules.ts';
import { isTimeToWrapUp } from './quiet.rules.ts';
import type {
  AssistantTurn,
  Effect,
  HangUp,
  Phase,
  SpeechKind,
  Stage,
  Step,
  TurnCause,
  TurnState,
} from './turn-state.ts';

/** Nothing changes. */
export function stay(state: TurnState): Step {
  return { state, effects: [] };
}

/** Goes into a phase, doing `effects`. */
export function enter(state: TurnState, phase: Phase, ...effects: Effect[]): Step {
  return { state: { ...state, phase }, effects };
}

/** Does `first` before a step's own effects. */
export function after(first: readonly Effect[], step: Step): Step {
  return { state: step.state, effects: [...first, ...step.effects] };
}

/** The assistant begins a turn under a new number. */
export function beginSpeech(
  state: TurnState,
  speech: { kind: SpeechKind; attempt?: 1 | 2; cause?: TurnCause | null },
  nowMs: number,
): Step {
  const { effect, turn } = nextTurn(state, speech, nowMs);
  const next: TurnState = {
    ...state,
    lastTurn: turn.number,
    quiet: {
      ...state.quiet,
      isGreetingDue: false,
      wasToldToWrapUp: state.quiet.wasToldToWrapUp || effect.mustWrapUp,
    },
  };
  return enter(next, { name: 'thinking', turn, sinceMs: nowMs }, effect);
}

function nextTurn(
  state: TurnState,
  speech: { kind: SpeechKind; attempt?: 1 | 2; cause?: TurnCause | null },
  nowMs: number,
): { turn: AssistantTurn; effect: Extract<Effect, { type: 'say' }> } {
  const turn: AssistantTurn = {
    number: state.lastTurn + 1,
    kind: speech.kind,
    attempt: speech.attempt ?? 1,
    cause: speech.cause ?? null,
  };
  const isFromModel = ['reply', 'check-in', 'wrap-up'].includes(turn.kind);
  const mustWrapUp = isFromModel && isTimeToWrapUp(state.policy, nowMs);
  return { turn, effect: { type: 'say', turn, mustWrapUp } };
}

/** The last words before we hang up: a fixed text that nothing interrupts. */
export function beginClosing(
  state: TurnState,
  closing: { kind: 'goodbye' | 'apology'; hangUp: HangUp },
  nowMs: number,
): Step {
  const { effect, turn } = nextTurn(state, closing, nowMs);
  return enter(
    { ...state, lastTurn: turn.number },
    { name: 'closing', turn, lastSoundMs: nowMs, hangUp: closing.hangUp },
    effect,
  );
}

/** The caller's turn is over: note it and answer it. A mere noise is no turn, and the silence goes on. */
export function takeUpInput(state: TurnState, nowMs: number): Step {
  const utterances = utterancesOf(state.input);
  if (utterances.length === 0) return enter({ ...state, input: NO_INPUT }, { name: 'waiting' });
  const { input } = state;
  const hasFinal = hasCoveringFinal({ activity: state.caller, input });
  const finalMs = hasFinal ? (input.lastFinal?.atMs ?? null) : null;
  const cause: TurnCause = { speechEndMs: input.endedMs, finalMs };
  const next: TurnState = {
    ...state,
    input: NO_INPUT,
    taken: {
      finals: input.finals,
      text: inputText(input),
      owesFinal: state.policy.recogniser !== null && input.speechMs > 0 && !hasFinal,
    },
    quiet: { ...state.quiet, checkIns: 0 },
  };
  const notes = utterances.map((utterance): Effect => ({ type: 'note-caller', utterance, isAside: false }));
  return after(notes, beginSpeech(next, { kind: 'reply', cause }, nowMs));
}

/** What the caller said while the assistant kept the floor goes into the transcript and is answered by nobody. */
export function noteAsides(state: TurnState): { state: TurnState; effects: Effect[] } {
  const effects = utterancesOf(state.input).map((utterance): Effect => ({
    type: 'note-caller',
    utterance,
    isAside: true,
  }));
  return { state: { ...state, input: NO_INPUT }, effects };
}

/** The caller takes the floor from a turn; what they said so far is the beginning of theirs. */
export function yieldFloor(state: TurnState, turn: AssistantTurn, nowMs: number): Step {
  const abort: Effect = { type: 'abort', turn: turn.number };
  const next = { ...state, quiet: { ...state.quiet, sinceMs: nowMs, callerSilentSinceMs: nowMs } };
  return enter(next, { name: next.caller.isSpeaking ? 'listening' : 'ending' }, abort);
}

/** A turn has been said to its end. */
export function afterSpeech(state: TurnState, turn: AssistantTurn, nowMs: number): Step {
  const isUnasked = turn.kind === 'check-in' || turn.kind === 'wrap-up';
  const quiet = {
    ...state.quiet,
    sinceMs: nowMs,
    callerSilentSinceMs: isUnasked ? state.quiet.callerSilentSinceMs : nowMs,
    checkIns: state.quiet.checkIns + (turn.kind === 'check-in' ? 1 : 0),
  };
  if (state.caller.isSpeaking) return enter({ ...state, quiet }, { name: 'listening' });
  const noted = noteAsides(state);
  return after(noted.effects, enter({ ...noted.state, quiet }, { name: 'waiting' }));
}

/** A turn could not be made: once more under a new number, then apologise and end the call. */
export function retryOrApologise(
  state: TurnState,
  failed: { turn: AssistantTurn; stage: Stage },
  nowMs: number,
): Step {
  const { turn, stage } = failed;
  const first: Effect[] = [
    { type: 'abort', turn: turn.number },
    { type: 'report-failure', stage },
  ];
  if (turn.attempt === 2) return after(first, apologise(state, stage, nowMs));
  return after(first, beginSpeech(state, { kind: turn.kind, attempt: 2, cause: turn.cause }, nowMs));
}

/** A provider failed for good. */
function apologise(state: TurnState, stage: Stage, nowMs: number): Step {
  const hangUp: HangUp = { by: 'assistant', reason: `${stage}_failed` };
  return beginClosing(state, { kind: 'apology', hangUp }, nowMs);
}

/** The recogniser failed: it gets one new chance, then the call cannot go on. */
export function recogniserFailed(state: TurnState, nowMs: number): Step {
  const failures = state.recogniserFailures + 1;
  const next = { ...state, recogniserFailures: failures };
  const report: Effect = { type: 'report-failure', stage: 'recogniser' };
  if (failures === 1) return { state: next, effects: [report, { type: 'reopen-recogniser' }] };
  const turn = turnOf(state.phase);
  const abort: Effect[] = turn ? [{ type: 'abort', turn: turn.number }] : [];
  return after([report, ...abort], apologise(next, 'recogniser', nowMs));
}

/** Ends the call from our side; sound that still waits is dropped. */
export function endCall(state: TurnState, hangUp: HangUp): Step {
  return close(state, { type: 'hang-up', hangUp });
}

/** The call is over, whoever ended it. */
export function close(state: TurnState, ...last: Effect[]): Step {
  const noted = noteAsides(state);
  const turn = turnOf(state.phase);
  const abort: Effect[] = turn ? [{ type: 'abort', turn: turn.number }] : [];
  return after(
    [...noted.effects, ...abort],
    enter(noted.state, { name: 'closed' }, { type: 'close' }, ...last),
  );
}

/** The turn the assistant is at, if it is at one. */
function turnOf(phase: Phase): AssistantTurn | null {
  return 'turn' in phase ? phase.turn : null;
}
