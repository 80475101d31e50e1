/** What a check is: something terrible is done to a running house, and at the end certain counts must be zero. */

/** How much of it. The quick form is for `npm test`, the full one for `npm run chaos -- --full`. */
export interface CheckOptions {
  isFull: boolean;
  /** The same seed does the same things in the same order; the machine decides on the instants. */
  seed: number;
  /** Progress, for whoever waits. */
  say: (line: string) => void;
}

/** What came of it. */
export interface CheckResult {
  /** For the reader, in this order. */
  counts: Record<string, number>;
  /** Sentences; none: it held. */
  faults: string[];
  /** Negative controls: whether the check saw a fault that was put in. */
  controls: Record<string, boolean>;
}

/** One goal of reliability. */
export interface Check {
  /** As in the list of goals, for example `R1`. */
  id: string;
  what: string;
  run(options: CheckOptions): Promise<CheckResult>;
}

/** A check holds when nothing is wrong and every control has turned red. */
export function hasHeld({ faults, controls }: CheckResult): boolean {
  return faults.length === 0 && Object.values(controls).every(Boolean);
}

/** One line for people: `R1 ok   kills 200  lost 0 ...`. */
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
