/** The median of some figures, with minimum and maximum, which show the noise of the machine. */

/** See the head of the file. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** @param values - at least one */
export function spreadOf(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), min: Math.min(...values), max: Math.max(...values) };
}

/**
 * The smallest value that is not below the given share of all.
 *
 * @param share - 0.95 for the 95th percentile
 * @returns NaN of nothing
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
