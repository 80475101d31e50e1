/**
 * Whether another call may be dialed under the limits per second and per day of its user, API token and trunk, and when
 * the operator is warned (docs/decisions/toll-fraud.md).
 */
import type { DialScope } from '@parley/db';

/** A limit. */
type DialMeasure = 'calls_per_second' | 'calls_per_day' | 'cost_per_day';
/** A limit per day. */
type DailyLimit = Exclude<DialMeasure, 'calls_per_second'>;

/** The dials of a user, token or trunk, and its limits. Null: no limit. */
export interface ScopeUsage {
  scope: DialScope;
  subjectId: number;
  /** Calls today. */
  calls: number;
  /** The costs of calls that have ended today, and of calls in progress until now. */
  cost: number;
  /** Calls in the last second. */
  recentCalls: number;
  /** When the oldest of them will be a second old; null without any. */
  waitMs: number | null;
  callsPerSecond: number | null;
  callsPerDay: number | null;
  costPerDay: number | null;
}

/** Why the call must not be dialed now. `wait`: until the next second. */
export type UsageVerdict =
  | { reason: DailyLimit; scope: DialScope; max: number }
  | { reason: 'wait'; waitMs: number };

/** @returns null when another call may be dialed */
export function verdictOfUsage(usages: readonly ScopeUsage[]): UsageVerdict | null {
  for (const { scope, calls, cost, callsPerDay, costPerDay } of usages) {
    if (callsPerDay !== null && calls >= callsPerDay)
      return { reason: 'calls_per_day', scope, max: callsPerDay };
    if (costPerDay !== null && cost >= costPerDay) return { reason: 'cost_per_day', scope, max: costPerDay };
  }
  const waits = usages.map((usage) => (isTooFast(usage) ? (usage.waitMs ?? 1) : 0));
  const waitMs = Math.max(0, ...waits);
  return waitMs > 0 ? { reason: 'wait', waitMs } : null;
}

function isTooFast({ callsPerSecond, recentCalls }: ScopeUsage): boolean {
  return callsPerSecond !== null && recentCalls >= callsPerSecond;
}

/** The shares of a limit at which it is reported, in percent. */
const THRESHOLDS = [80, 100] as const;

/** A limit that is nearly or wholly used up. */
export interface UsageWarning {
  scope: DialScope;
  subjectId: number;
  measure: DialMeasure;
  /** 80 or 100. */
  thresholdPercent: number;
  used: number;
  max: number;
}

/**
 * One for each threshold that is reached.
 *
 * @param usages - without the call that is about to be dialed
 * @param dials - that call, or none
 */
export function warningsOf(usages: readonly ScopeUsage[], dials: 0 | 1): UsageWarning[] {
  return usages.flatMap(({ scope, subjectId, ...usage }) => {
    const amounts: [DialMeasure, number, number | null][] = [
      ['calls_per_second', usage.recentCalls + dials, usage.callsPerSecond],
      ['calls_per_day', usage.calls + dials, usage.callsPerDay],
      ['cost_per_day', usage.cost, usage.costPerDay],
    ];
    return amounts.flatMap(([measure, used, max]) =>
      THRESHOLDS.filter((percent) => max !== null && used > 0 && used * 100 >= max * percent).map(
        (thresholdPercent) => ({ scope, subjectId, measure, thresholdPercent, used, max: max ?? 0 }),
      ),
    );
  });
}

const MILLION = 1_000_000;

/** Exact to a millionth, as costs are. */
export function sumOfCosts(one: number, other: number): number {
  return Math.round((one + other) * MILLION) / MILLION;
}

/** The beginning of the next day, in UTC. */
export function nextUtcDay(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1));
}
