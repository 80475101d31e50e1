import { describe, expect, it } from 'vitest';
import { findTurnAt, NO_TURN } from './find-turn.rules.ts';

describe('the turn heard at a place in the recording', () => {
  const turns = [
    { start_ms: 500, end_ms: 4_000 },
    { start_ms: 5_000, end_ms: 9_000 },
    { start_ms: 8_000, end_ms: 10_000 },
  ];

  it.each([
    ['before the first turn', 0, NO_TURN],
    ['at the first instant of a turn', 500, 0],
    ['in a pause', 4_000, NO_TURN],
    ['where two overlap, the one that interrupted', 8_500, 2],
    ['after the last turn', 10_000, NO_TURN],
  ])('%s', (_sentence, positionMs, index) => {
    expect(findTurnAt(turns, positionMs)).toBe(index);
  });
});
