/**
 * When a caller of `bench:talk` begins to speak, decided only by what the caller has heard: after the assistant has been
 * quiet for a while, or, if they are there to interrupt, in the middle of its sentence.
 */
import type { Role } from './talk-script.rules.ts';

/** What a caller goes by. All instants in milliseconds of one clock. */
export interface CallerView {
  role: Role;
  answeredMs: number;
  /** Since when the assistant has been speaking, and until when; null: not since the caller's last words. */
  heard: { fromMs: number; toMs: number } | null;
  /** End of the caller's last words; null before them. */
  spokenMs: number | null;
  /** 0 to 1, different for each turn, because pauses vary. */
  chance: number;
}

/** The assistant's pauses between two sentences are shorter. */
const QUIET_MS = 400;
/** The pauses between a filler and the answer of a tool are also shorter. */
const WAITER_QUIET_MS = 3600;
/** How much the pauses differ. */
const SPREAD_MS = 200;
/** The part of the reply before an interruption. */
const INTERRUPT_AFTER_MS = 1000;
/** After this time a turn counts as unanswered. */
const PATIENCE_MS = 9000;

/** Whether the caller speaks now. */
export function isTimeToSpeak(view: CallerView, nowMs: number): boolean {
  const { role, heard, spokenMs, answeredMs, chance } = view;
  const spreadMs = chance * SPREAD_MS;
  if (!heard) return nowMs - (spokenMs ?? answeredMs) > PATIENCE_MS;
  // The greeting is listened to.
  if (role === 'interrupter' && spokenMs !== null)
    return heard.toMs - heard.fromMs > INTERRUPT_AFTER_MS + spreadMs;
  const quietMs = role === 'waiter' && spokenMs !== null ? WAITER_QUIET_MS : QUIET_MS;
  return nowMs - heard.toMs > quietMs + spreadMs;
}
