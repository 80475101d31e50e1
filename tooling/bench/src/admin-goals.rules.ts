/** Goal P21 of docs/goals.md for the admin app, and what of it was missed. */

/** What was measured; times in milliseconds. */
export interface AdminFigures {
  /** Medians of the largest contentful paint, of the admin app and of an empty page beside it. */
  paintMs: number;
  emptyPaintMs: number;
  /** The worst cumulative layout shift of the visited pages, with its page. */
  shift: { page: string; score: number };
  /** What the first page loads, bytes after gzip. */
  scriptBytes: number;
  /** Typefaces, bytes as sent; they are compressed already. */
  fontBytes: number;
  /** The longest time between two frames while a list of 10,000 rows was scrolled, by wheel and by key. */
  longestFrameMs: number;
  /** From the request that placed a call to its row in an open list. */
  callVisibleMs: number;
}

const MAX_PAINT_DELAY_MS = 400;
const MAX_SHIFT = 0.02;
const MAX_SCRIPT_BYTES = 200_000;
const MAX_FRAME_MS = 50;
const MAX_CALL_VISIBLE_MS = 300;

/** A line for each part of the goal that was missed. */
export function missedGoals(figures: AdminFigures): string[] {
  const delayMs = figures.paintMs - figures.emptyPaintMs;
  return [
    delayMs > MAX_PAINT_DELAY_MS && `the largest paint comes ${delayMs.toFixed(0)} ms after an empty page`,
    figures.shift.score > MAX_SHIFT &&
      `the page ${figures.shift.page} moves by ${figures.shift.score.toFixed(3)}`,
    figures.scriptBytes > MAX_SCRIPT_BYTES && `the first page loads ${figures.scriptBytes} bytes of script`,
    figures.longestFrameMs > MAX_FRAME_MS && `a frame took ${figures.longestFrameMs.toFixed(0)} ms`,
    figures.callVisibleMs > MAX_CALL_VISIBLE_MS &&
      `a live call was visible after ${figures.callVisibleMs.toFixed(0)} ms`,
  ].filter((line) => line !== false);
}
