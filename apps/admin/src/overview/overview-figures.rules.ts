/** The sums behind the overview. */
import type { CallOutcome, CallsOfDay } from '@parley/contracts';
import { texts as callTexts } from '../calls/texts.ts';

/** Sums of some calls. */
export type Sums = Omit<CallsOfDay, 'day' | 'outcome'>;

/** The outcomes in the order in which they are shown. */
const OUTCOMES = Object.keys(callTexts.outcomes) as CallOutcome[];

/** The sums of all rows. */
export function sumOf(rows: readonly CallsOfDay[]): Sums {
  const sums: Sums = { calls: 0, outbound: 0, answered: 0, talk_seconds: 0, cost: 0 };
  for (const row of rows) {
    sums.calls += row.calls;
    sums.outbound += row.outbound;
    sums.answered += row.answered;
    sums.talk_seconds += row.talk_seconds;
    sums.cost += row.cost;
  }
  return sums;
}

/** The sums of each outcome that occurred. */
export function sumsByOutcome(rows: readonly CallsOfDay[]): { outcome: CallOutcome; sums: Sums }[] {
  const groups = Map.groupBy(rows, ({ outcome }) => outcome);
  return OUTCOMES.flatMap((outcome) => {
    const found = groups.get(outcome);
    return found ? [{ outcome, sums: sumOf(found) }] : [];
  });
}

const DAY_MS = 86_400_000;

/** Every day of the period, with its calls by outcome. */
export function daysOf({ from, until, days }: { from: string; until: string; days: readonly CallsOfDay[] }): {
  day: string;
  parts: { outcome: CallOutcome; sums: Sums }[];
}[] {
  const groups = Map.groupBy(days, ({ day }) => day);
  const count = (Date.parse(until) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10);
    return { day, parts: sumsByOutcome(groups.get(day) ?? []) };
  });
}

/** A part of a whole in percent, rounded; null without a whole. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 100);
}
