/** Judges what became of the calls of a killed voice process, and of those of the others. */
import type { CheckResult } from './check.ts';

/** A call that was held when the process was killed. */
export interface FollowedCall {
  id: number;
  endedReason: string | null;
  endedAtMs: number | null;
  /** From the kill to the answer of the far end to the other process that goes on, milliseconds; null: none does. */
  acceptedAfterMs: number | null;
  /** The longest time in which its far end received no packet, milliseconds; null if it was not measured. */
  gapMs: number | null;
}

/** All calls, and which of them belonged to the killed process. */
export interface SurvivalEvidence {
  followed: readonly FollowedCall[];
  lostIds: ReadonlySet<number>;
  killedAtMs: number;
  /** A call that goes on for this time after the kill has survived. */
  survivalMs: number;
}

/** Share of the calls of the killed process that must survive: those that were not between two stored states. */
const SURVIVING_SHARE = 0.9;
const TOO_FEW = 'too few calls survived';
/** Ends that a call has by itself. */
const OWN_ENDS: readonly (string | null)[] = [
  'customer_hung_up',
  'duration_limit',
  'silence_limit',
  'end_call',
];

/** One sentence per fault. */
export function judgeSurvival(evidence: SurvivalEvidence): CheckResult {
  const { counts, faults } = judge(evidence);
  const { followed } = evidence;
  const ended = followed.map((call) => ({ ...call, endedReason: 'process_lost', acceptedAfterMs: null }));
  const open = followed.map((call) => ({ ...call, endedAtMs: null }));
  return {
    counts,
    faults,
    controls: {
      'no call survived': judge({ ...evidence, followed: ended }).faults.includes(TOO_FEW),
      'calls of others cut': (judge({ ...evidence, followed: ended }).counts['of these cut'] ?? 0) > 0,
      'records stay open': (judge({ ...evidence, followed: open }).counts['records open'] ?? 0) > 0,
    },
  };
}

function judge({
  followed,
  lostIds,
  killedAtMs,
  survivalMs,
}: SurvivalEvidence): Omit<CheckResult, 'controls'> {
  const isSurvivor = ({ acceptedAfterMs, endedReason, endedAtMs }: FollowedCall): boolean =>
    acceptedAfterMs !== null && OWN_ENDS.includes(endedReason) && (endedAtMs ?? 0) - killedAtMs >= survivalMs;
  const lost = followed.filter(({ id }) => lostIds.has(id));
  const others = followed.filter(({ id }) => !lostIds.has(id));
  const survivors = lost.filter(isSurvivor);
  const cut = others.filter(({ endedReason }) => !OWN_ENDS.includes(endedReason));
  const open = followed.filter(({ endedAtMs }) => endedAtMs === null);
  const gaps = survivors.flatMap(({ gapMs }) => gapMs ?? []).toSorted((a, b) => a - b);
  const accepted = survivors
    .flatMap(({ acceptedAfterMs }) => acceptedAfterMs ?? [])
    .toSorted((a, b) => a - b);
  const untrue = lost.filter((call) => !isSurvivor(call) && call.endedReason !== 'process_lost');
  return {
    counts: {
      'calls of the killed process': lost.length,
      survived: survivors.length,
      'ended as process_lost': lost.filter(({ endedReason }) => endedReason === 'process_lost').length,
      'ended otherwise': untrue.length,
      'accepted after, p50 ms': accepted[Math.floor(accepted.length / 2)] ?? -1,
      'accepted after, longest ms': accepted.at(-1) ?? -1,
      'nothing heard, p50 ms': gaps[Math.floor(gaps.length / 2)] ?? -1,
      'nothing heard, longest ms': gaps.at(-1) ?? -1,
      'calls of others': others.length,
      'of these cut': cut.length,
      'longest gap of others, ms': Math.max(-1, ...others.map(({ gapMs }) => gapMs ?? -1)),
      'records open': open.length,
    },
    faults: [
      ...(lost.length === 0 ? ['the killed process held no call'] : []),
      ...(survivors.length < lost.length * SURVIVING_SHARE ? [TOO_FEW] : []),
      ...(gaps.length < survivors.length ? ['not every gap was measured'] : []),
      ...untrue.slice(0, 3).map(({ id, endedReason }) => `call ${id} ended with ${endedReason}`),
      ...cut
        .slice(0, 3)
        .map(({ id, endedReason }) => `call ${id} of another process ended with ${endedReason}`),
      ...open.slice(0, 3).map(({ id }) => `the record of call ${id} is open`),
    ],
  };
}
