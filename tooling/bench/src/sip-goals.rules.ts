/** The goal P10 of docs/goals.md, and what a run of `bench:sip` has missed of it. */

/** What one run has measured. */
export interface SipFigures {
  /** Processor time of one complete call, microseconds: the product, and the callee that is built into SIPp. */
  ownMicros: number;
  sippMicros: number;
  /** Calls per second that were offered, and how many of all calls to the product failed or needed a retransmission. */
  callsPerSecond: number;
  failed: number;
  retransmitted: number;
}

const MOST_MICROS = 400;
const MOST_TIMES_SIPP = 15;
const LEAST_CALLS_PER_SECOND = 500;

/** The goals that were missed, as sentences; empty when all were reached. */
export function missedSipGoals(figures: SipFigures): string[] {
  const { ownMicros, sippMicros, callsPerSecond, failed } = figures;
  const rows: [string, number, boolean, number][] = [
    ['P10 processor time of a call, microseconds', ownMicros, ownMicros <= MOST_MICROS, MOST_MICROS],
    [
      'P10 processor time over that of SIPp',
      ownMicros / sippMicros,
      ownMicros / sippMicros <= MOST_TIMES_SIPP,
      MOST_TIMES_SIPP,
    ],
    [
      'P10 calls per second',
      callsPerSecond,
      callsPerSecond >= LEAST_CALLS_PER_SECOND,
      LEAST_CALLS_PER_SECOND,
    ],
    ['P10 failed calls', failed, failed === 0, 0],
  ];
  return rows
    .filter(([, , isReached]) => !isReached)
    .map(([what, measured, , allowed]) => `${what}: ${measured.toFixed(1)}, goal ${allowed}`);
}
