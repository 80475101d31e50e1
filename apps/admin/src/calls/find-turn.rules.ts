/** Which turn of a conversation is heard at a place in its recording. */

interface TimedTurn {
  /** Milliseconds from the beginning of the recording. */
  start_ms: number;
  end_ms: number;
}

/** No turn is heard. */
export const NO_TURN = -1;

/** The turn being heard. Where two overlap (an interruption), the one that began later. */
export function findTurnAt(turns: readonly TimedTurn[], positionMs: number): number {
  return turns.findLastIndex(({ start_ms, end_ms }) => start_ms <= positionMs && positionMs < end_ms);
}
