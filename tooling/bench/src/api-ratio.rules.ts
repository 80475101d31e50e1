/**
 * How two servers compare that were measured in turns, in many short rounds. A round of the same work may cost half as much
 * again when something else has the processors' caches, so no single round says anything: the dearest and the cheapest of
 * each side are left out, the rest is averaged, and how far the result can be believed is said with it.
 */

/** What one side costs over what the other does. */
export interface Ratio {
  value: number;
  /** Standard error, of the rounds of this run alone: another pair of processes may differ by more. */
  error: number;
}

/** Left out at each end. */
const TRIMMED_SHARE = 0.1;

/** The mean of the middle four fifths. */
export function trimmedMean(values: readonly number[]): number {
  const left = Math.floor(values.length * TRIMMED_SHARE);
  return mean(values.toSorted((a, b) => a - b).slice(left, values.length - left));
}

/** NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * @param one - of each round, at least two
 * @param other - of the same rounds: what slowed one side of a round has often slowed the other
 */
export function ratioOf(one: readonly number[], other: readonly number[]): Ratio {
  const value = trimmedMean(one) / trimmedMean(other);
  return { value, error: jackknife(one, other) };
}

/** How much the ratio changes when a round is left out. */
function jackknife(one: readonly number[], other: readonly number[]): number {
  const ratios = one.map(
    (_, left) => trimmedMean(one.toSpliced(left, 1)) / trimmedMean(other.toSpliced(left, 1)),
  );
  const middle = mean(ratios);
  return Math.sqrt(mean(ratios.map((ratio) => (ratio - middle) ** 2)) * (ratios.length - 1));
}
