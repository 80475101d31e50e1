/**
 * How fast a slot is filled again, and how much of the limit is used, from what the carrier saw of a campaign at its
 * limit: the n-th end is answered by the n-th dial, because nothing is free in between.
 */
import type { DialedCall } from './campaign-voice.ts';
import { quantile } from './spread.rules.ts';

/** See the head of the file. Milliseconds from the hang-up at the far end. */
export interface RefillFigures {
  live: number;
  endsPerSecond: number;
  /** Until the next call was handed over. */
  dialMs: { p50: number; p99: number };
  /** Until its INVITE may leave. */
  inviteMs: { p50: number; p99: number };
  /** Share of the limit that was in use. */
  capUse: number;
}

/** Of what happened between two instants. */
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
  // Slots that were free, or on their way, when the watch began get the first dials.
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
