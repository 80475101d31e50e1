/** What the calls of a forecast cost, by what a minute of the latest conversations of the assistant has cost. */
import { areComplete } from '../prices/call-costs.rules.ts';
import type { StoredCost } from '@parley/db';

/** A conversation and its costs, in the currency of the price list. */
export interface PricedCall {
  durationSeconds: number;
  totalCost: number;
  costs: readonly StoredCost[];
}

/** Both null where no conversation has costs of which all parts are known. */
export interface ForecastCost {
  /** With the expected answers and durations. */
  expected: number | null;
  /** If everybody who can be called talks until the assistant ends the call. */
  highest: number | null;
}

const DECIMALS = 4;

/** @param counts - people who are reached and people who can be called, and the seconds of their conversations */
export function forecastCost(
  calls: readonly PricedCall[],
  counts: { reached: number; durationSeconds: number; people: number; longestSeconds: number },
): ForecastCost {
  const known = calls.filter(({ durationSeconds, costs }) => durationSeconds > 0 && areComplete(costs));
  const seconds = known.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  if (seconds === 0) return { expected: null, highest: null };
  const perSecond = known.reduce((sum, { totalCost }) => sum + totalCost, 0) / seconds;
  const expected = rounded(counts.reached * counts.durationSeconds * perSecond);
  const highest = rounded(counts.people * counts.longestSeconds * perSecond);
  return { expected, highest: Math.max(expected, highest) };
}

function rounded(amount: number): number {
  return Number(amount.toFixed(DECIMALS));
}
