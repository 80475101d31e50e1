/**
 * Executes a script in steps of 20 ms. Pure: what was received is the input, what to do is the output.
 *
 * A step begins when the previous one is over. A step is over:
 *
 *   wait, echo    after its duration
 *   say, play,
 *   beep          when its audio has been played (at the earliest a frame later)
 *   listen        when the other side has spoken and then paused, or has said nothing until the patience is over
 *   listen-into   when the other side has spoken for so long in all, or after the patience
 *   press         at once
 *   hang-up       never; it is the last
 */
import type { Script, Step } from './script.ts';

/** Length of a tick, milliseconds. */
const TICK_MS = 20;
/** A gap between words is not a pause: speech continues if it resumes within this time. */
const WORD_GAP_MS = 300;

/** Where a person is in the script. */
export interface RunnerState {
  step: number;
  /** Since the step began. */
  elapsedMs: number;
  /** Time the other side has spoken in this step, gaps between words included. */
  speechMs: number;
  /** Since the other side was last heard, in this step. */
  quietMs: number;
}

/** What happened in the last 20 ms. */
export interface Heard {
  /** The other side was speaking. */
  isLoud: boolean;
  /** The person is still speaking. */
  isSpeaking: boolean;
}

/** The action to start now; `null` for none. */
export type Effect = Exclude<Step, { do: 'wait' | 'listen' | 'listen-into' }> | null;

/** Before the first tick. */
export const RUNNER_START: RunnerState = { step: -1, elapsedMs: 0, speechMs: 0, quietMs: 0 };

/** One tick. */
export function runScript(
  script: Script,
  state: RunnerState,
  heard: Heard,
): { state: RunnerState; effect: Effect } {
  const now = listenOn(state, heard);
  const step = script[now.step];
  if (step && !isOver(step, now, heard)) return { state: now, effect: null };
  const next = script[now.step + 1] ?? { do: 'hang-up' };
  // After the last step the runner stays on the one beyond it: hanging up.
  const isAtEnd = now.step >= script.length;
  const begun = { step: Math.min(now.step + 1, script.length), elapsedMs: 0, speechMs: 0, quietMs: 0 };
  return { state: begun, effect: isAtEnd ? null : effectOf(next) };
}

function listenOn(state: RunnerState, { isLoud }: Heard): RunnerState {
  const quietMs = isLoud ? 0 : state.quietMs + TICK_MS;
  const isInGap = !isLoud && state.speechMs > 0 && quietMs <= WORD_GAP_MS;
  return {
    step: state.step,
    elapsedMs: state.elapsedMs + TICK_MS,
    speechMs: state.speechMs + (isLoud || isInGap ? TICK_MS : 0),
    quietMs,
  };
}

function isOver(step: Step, now: RunnerState, { isSpeaking }: Heard): boolean {
  switch (step.do) {
    case 'wait':
    case 'echo':
      return now.elapsedMs >= step.ms;
    case 'say':
    case 'play':
    case 'beep':
      return !isSpeaking;
    case 'listen':
      return now.speechMs > 0 ? now.quietMs >= step.pauseMs : now.elapsedMs >= step.patienceMs;
    case 'listen-into':
      return now.speechMs >= step.speechMs || now.elapsedMs >= step.patienceMs;
    case 'press':
      return true;
    case 'hang-up':
      return false;
  }
}

function effectOf(step: Step): Effect {
  return step.do === 'wait' || step.do === 'listen' || step.do === 'listen-into' ? null : step;
}
