/**
 * Transitions that several states share: begin to speak, answer the caller, yield the floor, retry, end. Each returns the
 * new state and the effects.
 */
import { askedFor } from '../recognition/asked.rules.ts';
import { inputText, NO_INPUT, utterancesOf } from '../recognition/caller-input.rules.ts';
import { asksToWait } from '../recognition/caller-words.rules.ts';
import { areWordsOverdue, hasCoveringFinal } from '../recognition/endpointing.rules.ts';
import { discarding, draftOf } from './draft.rules.ts';
import { endsWithQuestion, isEarlyAnswer, isLateBackchannel } from './early-answer.rules.ts';
import { beginWait } from './patience.rules.ts';
import { afterCut, cutGreeting, mustRestartGreeting } from './greeting.rules.ts';
import { withoutInput } from './late-words.rules.ts';
import { isTimeToWrapUp } from './quiet.rules.ts';
import type {
  AssistantTurn,
  Closing,
  Effect,
  HangUp,
  Phase,
  SpeechKind,
  Stage,
  Step,
  TurnCause,
  TurnState,
  Wait,
} from './turn-state.ts';

/** Nothing changes. */
export function stay(state: TurnState): Step {
  return { state, effects: [] };
}

/** Enters a phase with the given effects. */
export function enter(state: TurnState, phase: Phase, ...effects: Effect[]): Step {
  return { state: { ...state, phase }, effects };
}

/** Puts the effects `first` before those of a step. */
export function after(first: readonly Effect[], step: Step): Step {
  return { state: step.state, effects: [...first, ...step.effects] };
}

/** The properties of a new turn. */
interface Speech {
  kind: SpeechKind;
  attempt?: 1 | 2;
  cause?: TurnCause | null;
  /** The caller's wait; a new one unless given. */
  wait?: Wait;
  /** The number of the draft to use, if there is one. */
  draft?: number | null;
}

/** The assistant begins a turn with a new number: the disclosure message, as long as that is due. */
export function beginSpeech(state: TurnState, wanted: Speech, nowMs: number): Step {
  const isGated = state.disclosure.isDue && wanted.kind !== 'disclosure';
  const speech: Speech = isGated ? { kind: 'disclosure' } : wanted;
  const { effects, turn, mustWrapUp } = nextTurn(state, speech, nowMs);
  const next: TurnState = {
    ...state,
    lastTurn: Math.max(state.lastTurn, turn.number),
    draft: null,
    draftsOfTurn: 0,
    secondHearing: { ...state.secondHearing, hangUp: null },
    quiet: {
      ...state.quiet,
      isGreetingDue: isNotice(speech.kind) && state.quiet.isGreetingDue,
      isWrapUpRequested: state.quiet.isWrapUpRequested || mustWrapUp,
    },
  };
  const wait = speech.wait ?? beginWait(nowMs, turn.cause?.speechEndMs ?? null);
  return enter(next, { name: 'thinking', turn, wait }, ...effects);
}

/** Whether a turn is a notice, whose words belong to neither the owner's greeting nor the dialogue. */
function isNotice(kind: SpeechKind): boolean {
  return kind === 'disclosure' || kind === 'announcement';
}

function nextTurn(
  state: TurnState,
  speech: Speech,
  nowMs: number,
): { turn: AssistantTurn; effects: Effect[]; mustWrapUp: boolean } {
  const draft = speech.draft ?? null;
  const turn: AssistantTurn = {
    number: draft ?? state.lastTurn + 1,
    kind: speech.kind,
    attempt: speech.attempt ?? 1,
    cause: speech.cause ?? null,
  };
  const isFromModel = ['reply', 'check-in', 'wrap-up'].includes(turn.kind);
  const mustWrapUp = isFromModel && isTimeToWrapUp(state.policy, nowMs);
  const say: Effect = { type: 'say', turn, mustWrapUp };
  return { turn, effects: draft === null ? [...discarding(state), say] : [say], mustWrapUp };
}

/**
 * The last words before the hang-up: a fixed text that cannot be interrupted. A disclosure message that is due comes first,
 * unless no voice can speak it.
 */
export function beginClosing(state: TurnState, closing: Closing, nowMs: number): Step {
  if (state.disclosure.isDue && closing.hangUp.reason !== 'voice_failed') {
    const next = { ...state, disclosure: { isDue: true, closing } };
    return isDisclosing(state) ? stay(next) : beginSpeech(next, { kind: 'disclosure' }, nowMs);
  }
  const { effects, turn } = nextTurn(state, closing, nowMs);
  return enter(
    { ...state, lastTurn: turn.number, draft: null },
    { name: 'closing', turn, lastSoundMs: nowMs, hangUp: closing.hangUp },
    ...effects,
  );
}

/**
 * The caller's turn is over: record and answer it. A short noise and a backchannel are no turn, and the silence continues.
 */
export function takeUpInput(state: TurnState, nowMs: number): Step {
  const { input } = state;
  if (isLateBackchannel(state)) return dropBackchannel(state);
  const utterances = utterancesOf(input);
  const isRestart = mustRestartGreeting(state);
  if (utterances.length === 0 && !isRestart)
    return enter({ ...state, input: NO_INPUT, draft: null }, { name: 'waiting' }, ...discarding(state));
  const hasFinal = hasCoveringFinal({ activity: state.caller, input });
  const finalMs = hasFinal ? (input.lastFinal?.atMs ?? null) : null;
  const cause: TurnCause = { speechEndMs: input.endedMs, finalMs, turnEndMs: nowMs };
  // An interim result after the final has no final of its own yet.
  const isAnswered = hasFinal && !input.lastFinal?.isOverdue && input.interim === '';
  const owesFinal = state.policy.recogniser !== null && input.speechMs > 0 && !isAnswered;
  const text = inputText(input);
  // A cough, a door or music on hold does not end the wait.
  const isStillAway = hasFinal && text === '' && input.keys === '' && state.quiet.hasAskedToWait;
  const hasAskedToWait = isStillAway || asksToWait(text, state.policy.language);
  const next: TurnState = {
    ...withoutInput(state),
    taken: { finals: input.finals, text, owesFinal },
    wordlessAside: null,
    quiet: { ...state.quiet, checkIns: 0, hasAskedToWait },
    greeting: afterCut(state, isRestart),
  };
  const notes = utterances.map((utterance): Effect => ({ type: 'note-caller', utterance, isAside: false }));
  const speech: Speech = isRestart
    ? { kind: 'greeting' }
    : { kind: 'reply', cause, draft: draftOf(state, utterances) };
  const answered = after(notes, beginSpeech(next, speech, nowMs));
  return isRecogniserSilent(state, nowMs) ? noteSilentRecogniser(answered, nowMs) : answered;
}

function dropBackchannel(before: TurnState): Step {
  const { state, effects } = noteAsides(before);
  return enter({ ...state, draft: null }, { name: 'waiting' }, ...effects, ...discarding(before));
}

/** Whether the recogniser was asked for a final and has reported nothing in time. */
function isRecogniserSilent(state: TurnState, nowMs: number): boolean {
  const { caller, input, policy, usualPauseMs, asked } = state;
  const view = { activity: caller, input, policy, usualPauseMs, asked };
  if (input.finalisedMs === null || inputText(input) !== '') return false;
  return hasCoveringFinal(view) ? (input.lastFinal?.isOverdue ?? false) : areWordsOverdue(view, nowMs);
}

/** The first time it may only be slow. The second time in a row it counts as hanging, and another recogniser is used. */
function noteSilentRecogniser({ state, effects }: Step, nowMs: number): Step {
  const wordlessTurns = state.wordlessTurns + 1;
  if (wordlessTurns < 2) return { state: { ...state, wordlessTurns }, effects };
  return after(effects, recogniserFailed({ ...state, wordlessTurns: 0 }, nowMs, 'hangs'));
}

/** Records what the caller said while the assistant kept the floor. It gets no reply. */
export function noteAsides(state: TurnState): { state: TurnState; effects: Effect[] } {
  const effects = utterancesOf(state.input).map((utterance): Effect => ({
    type: 'note-caller',
    utterance,
    isAside: true,
  }));
  return { state: withoutInput(state), effects };
}

/** The same for speech whose words may still come. They belong to it then, and are no turn either. */
export function setAside(before: TurnState): { state: TurnState; effects: Effect[] } {
  const { startedMs, endedMs } = before.input;
  const { state, effects } = noteAsides(before);
  if (startedMs === null || inputText(before.input) !== '' || before.policy.recogniser === null)
    return { state, effects };
  return { state: { ...state, wordlessAside: { startedMs, endedMs } }, effects };
}

/** The caller interrupts a turn; what they have said so far is the beginning of their turn. */
export function yieldFloor(state: TurnState, turn: AssistantTurn, nowMs: number): Step {
  const abort: Effect = { type: 'abort', turn: turn.number };
  const greeting = cutGreeting(state, turn);
  const next = { ...state, greeting, quiet: { ...state.quiet, sinceMs: nowMs, callerSilentSinceMs: nowMs } };
  return enter(next, { name: next.caller.isSpeaking ? 'listening' : 'ending' }, abort);
}

/** The disclosure message is being spoken. */
export function isDisclosing({ phase }: TurnState): boolean {
  return 'turn' in phase && phase.turn.kind === 'disclosure';
}

/** Cancels the current turn, except a disclosure message. */
export function cutting(state: TurnState): Effect[] {
  const turn = turnOf(state.phase);
  return turn && !isDisclosing(state) ? [{ type: 'abort', turn: turn.number }] : [];
}

/** A turn was played to its end. What the caller said in its last second is the beginning of their turn. */
export function afterSpeech(
  before: TurnState,
  turn: AssistantTurn,
  { nowMs, text }: { nowMs: number; text: string },
): Step {
  const isAnnounced = turn.kind === 'announcement';
  const isAnnouncementDue = before.isAnnouncementDue && !isAnnounced;
  const report: Effect[] = isAnnounced ? [{ type: 'report-announced' }] : [];
  const isUnasked = turn.kind === 'check-in' || turn.kind === 'wrap-up';
  const isOpen = isUnasked || before.quiet.hasAskedToWait;
  const state = {
    ...before,
    assistantEnd: { atMs: nowMs, hasAsked: endsWithQuestion(text) },
    asked: askedFor(text, before.policy.language) ?? (isOpen ? before.asked : null),
    isAnnouncementDue,
  };
  const quiet = {
    ...state.quiet,
    sinceMs: nowMs,
    callerSilentSinceMs: isUnasked ? state.quiet.callerSilentSinceMs : nowMs,
    checkIns: state.quiet.checkIns + (turn.kind === 'check-in' ? 1 : 0),
  };
  if (state.caller.isSpeaking) return enter({ ...state, quiet }, { name: 'listening' }, ...report);
  if (isEarlyAnswer(state.input)) return enter({ ...state, quiet }, { name: 'ending' }, ...report);
  const noted = setAside(state);
  return after(noted.effects, enter({ ...noted.state, quiet }, { name: 'waiting' }, ...report));
}

/** A turn could not be generated: tries once more under a new number, then apologises and ends the call. */
export function retryOrApologise(
  state: TurnState,
  failed: { turn: AssistantTurn; stage: Stage; wait: Wait },
  nowMs: number,
): Step {
  const { turn, stage, wait } = failed;
  if (turn.attempt === 2) return giveUp(state, { turn, stage }, nowMs);
  const retry = {
    kind: turn.kind,
    attempt: 2,
    cause: turn.cause,
    wait: { ...wait, wordsDueMs: nowMs },
  } as const;
  return after(failure(turn, stage), beginSpeech(state, retry, nowMs));
}

/** A provider failed twice: cancels the turn and ends the call with an apology. */
export function giveUp(
  state: TurnState,
  { turn, stage }: { turn: AssistantTurn; stage: Stage },
  nowMs: number,
): Step {
  return after(failure(turn, stage), apologise(state, stage, nowMs));
}

function failure(turn: AssistantTurn, stage: Stage): Effect[] {
  return [
    { type: 'abort', turn: turn.number },
    { type: 'report-failure', stage },
  ];
}

function apologise(state: TurnState, stage: Stage, nowMs: number): Step {
  const hangUp: HangUp = { by: 'assistant', reason: `${stage}_failed` };
  return beginClosing(state, { kind: 'apology', hangUp }, nowMs);
}

/** The recogniser failed: opens a new stream, then uses other recognisers; if none is left, the call ends. */
export function recogniserFailed(state: TurnState, nowMs: number, how: 'breaks' | 'hangs' = 'breaks'): Step {
  const failures = state.recogniserFailures + 1;
  const next = { ...state, recogniserFailures: failures };
  const report: Effect = { type: 'report-failure', stage: 'recogniser' };
  if (failures <= (state.policy.recogniser?.reopenings ?? 0))
    return {
      state: next,
      effects: [report, { type: 'reopen-recogniser', isOther: failures > 1 || how === 'hangs' }],
    };
  return after([report, ...cutting(state)], apologise(next, 'recogniser', nowMs));
}

/** Ends the call from our side; queued audio is discarded. */
export function endCall(state: TurnState, hangUp: HangUp): Step {
  return close(state, { type: 'hang-up', hangUp });
}

/** The call is over, whichever side ended it. */
export function close(state: TurnState, ...last: Effect[]): Step {
  const noted = noteAsides(state);
  const turn = turnOf(state.phase);
  const abort: Effect[] = turn ? [{ type: 'abort', turn: turn.number }] : [];
  return after(
    [...noted.effects, ...abort],
    enter(noted.state, { name: 'closed' }, { type: 'close' }, ...last),
  );
}

/** The assistant's current turn, if there is one. */
function turnOf(phase: Phase): AssistantTurn | null {
  return 'turn' in phase ? phase.turn : null;
}
