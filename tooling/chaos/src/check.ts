/** A check injects faults into a running installation; afterwards certain counts must be zero. */

/** Options of a run. The quick form is part of `npm run test:long`, the full form of `npm run chaos -- --full`. */
export interface CheckOptions {
  isFull: boolean;
  /** The same seed injects the same faults in the same order; their timing depends on the machine. */
  seed: number;
  /** Reports progress. */
  say: (line: string) => void;
}

/** The result of a check. */
export interface CheckResult {
  /** Printed in this order. */
  counts: Record<string, number>;
  /** One sentence per fault; empty if the check passed. */
  faults: string[];
  /** Negative controls: whether the check detected an injected fault. */
  controls: Record<string, boolean>;
}

/** The check of one reliability goal. */
export interface Check {
  /** The number of the goal in docs/goals.md, for example `R1`. */
  id: string;
  what: string;
  run(options: CheckOptions): Promise<CheckResult>;
}

/** A check passes if there is no fault and every negative control has failed. */
export function hasHeld({ faults, controls }: CheckResult): boolean {
  return faults.length === 0 && Object.values(controls).every(Boolean);
}

/** The line that is printed: `R1 ok   kills 200  lost 0 ...`. */
export function lineOf({ id }: Check, result: CheckResult, about: { seed: number; seconds: number }): string {
  const counts = Object.entries(result.counts).map(([name, count]) => `${name} ${round(count)}`);
  const controls = Object.values(result.controls);
  const red = `controls red ${controls.filter(Boolean).length} of ${controls.length}`;
  const held = hasHeld(result) ? 'ok  ' : 'FAIL';
  return [
    `${id.padEnd(8)} ${held}`,
    ...counts,
    red,
    `seed ${about.seed}`,
    `${about.seconds.toFixed(0)} s`,
  ].join('  ');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
