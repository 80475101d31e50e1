/** What the product wrote down about a call, held against what its caller heard. */
import type { CallTracks, MeasuredInterruption, MeasuredTurn } from './talk-tracks.rules.ts';
import { CHARACTER_MS } from './talk-script.rules.ts';

/** A turn as it stands in `calls.turns`. */
export interface StoredTurn {
  sender: 'bot' | 'human';
  text: string;
  /** From the answer, milliseconds. */
  startMs: number;
  latencyMs: Record<string, number>;
}

/** A stored turn belongs to the measured one if it begins this near to it. */
const SAME_TURN_MS = 400;

/** The difference between the recorded and the measured silence; null without such a turn in the record. */
export function reportErrorMs(
  { answeredMs }: CallTracks,
  turn: MeasuredTurn,
  stored: readonly StoredTurn[],
): number | null {
  const reportedMs = botTurnAt(stored, turn.firstSoundMs - answeredMs)?.latencyMs['silence'];
  return reportedMs === undefined ? null : reportedMs - turn.silenceMs;
}

/** The difference in words between the recorded text of an interrupted turn and its played part; null without such a turn. */
export function keptWordsError(
  { answeredMs }: CallTracks,
  { fromMs, heardMs }: MeasuredInterruption,
  stored: readonly StoredTurn[],
  fullText: string,
): number | null {
  const turn = botTurnAt(stored, fromMs - answeredMs);
  return turn ? wordsIn(turn.text) - wordsIn(fullText.slice(0, Math.round(heardMs / CHARACTER_MS))) : null;
}

function botTurnAt(stored: readonly StoredTurn[], startMs: number): StoredTurn | undefined {
  return stored.find((turn) => turn.sender === 'bot' && Math.abs(turn.startMs - startMs) < SAME_TURN_MS);
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
