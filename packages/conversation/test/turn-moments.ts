/** Special moments of the state table, each a sentence: a state, changed in some way, an event, and what follows. */
import { expect, it } from 'vitest';
import { decideTurn } from '../src/turn/turn.rules.ts';
import type { PhaseName, TurnEvent, TurnState } from '../src/turn/turn-state.ts';
import { describeStep, NOW_MS, stateIn } from './turn-states.ts';

export interface Moment {
  sentence: string;
  phase: PhaseName;
  change?: (state: TurnState) => Partial<TurnState>;
  event: TurnEvent;
  nowMs?: number;
  step: string;
}

/** Makes a test of each. */
export function testMoments(moments: readonly Moment[]): void {
  it.each(moments)('$phase: $sentence', ({ phase, change, event, nowMs, step }) => {
    const usual = stateIn(phase);
    const state = { ...usual, ...change?.(usual) };
    expect(describeStep(decideTurn(state, event, nowMs ?? NOW_MS))).toBe(step);
  });
}
