/**
 * The far end has put the call on hold (RFC 3264 section 8.4), so nothing can be sent to the caller. Generation continues,
 * and its audio waits in the queue of the line; the deadlines stand still, except the limit of the call.
 */
import type { Phase, Step, TurnState, Wait } from './turn-state.ts';

/** Puts the conversation on hold or resumes it. Harmless when repeated. */
export function changeHold(state: TurnState, isHeld: boolean, nowMs: number): Step {
  const { heldSinceMs } = state;
  if (isHeld) return { state: { ...state, heldSinceMs: heldSinceMs ?? nowMs }, effects: [] };
  if (heldSinceMs === null) return { state, effects: [] };
  const delayed = (sinceMs: number): number => sinceMs + nowMs - Math.max(sinceMs, heldSinceMs);
  const quiet = {
    ...state.quiet,
    sinceMs: delayed(state.quiet.sinceMs),
    callerSilentSinceMs: delayed(state.quiet.callerSilentSinceMs),
  };
  return {
    state: { ...state, heldSinceMs: null, quiet, phase: delayPhase(state.phase, delayed) },
    effects: [],
  };
}

function delayPhase(phase: Phase, delayed: (sinceMs: number) => number): Phase {
  if (phase.name === 'thinking' || phase.name === 'speaking')
    return { ...phase, wait: delayWait(phase.wait, delayed) };
  if (phase.name === 'closing') return { ...phase, lastSoundMs: delayed(phase.lastSoundMs) };
  if ('sinceMs' in phase) return { ...phase, sinceMs: delayed(phase.sinceMs) };
  return phase;
}

function delayWait(wait: Wait, delayed: (sinceMs: number) => number): Wait {
  const { wordsDueMs, silentSinceMs, fillerAskedMs } = wait;
  return {
    ...wait,
    wordsDueMs: delayed(wordsDueMs),
    silentSinceMs: delayed(silentSinceMs),
    fillerAskedMs: fillerAskedMs === null ? null : delayed(fillerAskedMs),
  };
}
