/**
 * Calculates how fast a slot is refilled, and how much of the limit is used, from the log of the carrier for a campaign at
 * its limit: the n-th end is followed by the n-th dial, because no other slot is free.
 */
import type { DialedCall } from './campaign-voice.ts';
import { quantile } from './spread.rules.ts';

/** Milliseconds from the hang-up at the far end. */
export interface RefillFigures {
  live: number;
  endsPerSecond: number;
  /** Until the next call is handed over. */
  dialMs: { p50: number; p99: number };
  /** Until its INVITE may leave. */
  inviteMs: { p50: number; p99: number };
  /** Share of the limit in use. */
  capUse: number;
}

/** @returns the figures between two instants */
export function refillFigures(
  log: readonly DialedCall[],
  { live, fromMs, untilMs }: { live: number; fromMs: number; untilMs: number },
): RefillFigures {
  const isInside = (atMs: number): boolean => atMs >= fromMs && atMs < untilMs;
  const ends = log.flatMap(({ endedAtMs }) => (endedAtMs !== null && isInside(endedAtMs) ? [endedAtMs] : []));
  const dials = log.filter(({ takenAtMs }) => takenAtMs >= fromMs);
  const liveAtStart = log.filter(
    ({ takenAtMs, endedAtMs }) => takenAtMs < fromMs && (endedAtMs ?? Infinity) >= fromMs,
  ).length;
  // Slots that were free at the beginning get the first dials.
  const ahead = Math.max(0, live - liveAtStart);
  ends.sort((a, b) => a - b);
  const waits = (times: number[]): number[] => {
    const sorted = times.toSorted((a, b) => a - b).slice(ahead);
    return ends.flatMap((end, index) => (sorted[index] === undefined ? [] : [sorted[index] - end]));
  };
  const untilDial = waits(dials.map(({ takenAtMs }) => takenAtMs));
  const untilInvite = waits(dials.map(({ invitedAtMs }) => invitedAtMs));
  const usedMs = log.reduce((sum, { invitedAtMs, endedAtMs }) => {
    return sum + Math.max(0, Math.min(endedAtMs ?? untilMs, untilMs) - Math.max(invitedAtMs, fromMs));
  }, 0);
  return {
    live,
    endsPerSecond: ends.length / ((untilMs - fromMs) / 1000),
    dialMs: { p50: quantile(untilDial, 0.5), p99: quantile(untilDial, 0.99) },
    inviteMs: { p50: quantile(untilInvite, 0.5), p99: quantile(untilInvite, 0.99) },
    capUse: usedMs / (untilMs - fromMs) / live,
  };
}
