/**
 * Reciprocal rank fusion: one list from several that were ranked by scores of different kinds (G. Cormack, C. Clarke,
 * S. Büttcher, Reciprocal rank fusion outperforms Condorcet and individual rank learning methods, SIGIR 2009).
 */

/** The constant of the paper: how much the first places count more than later ones. */
const K = 60;

/** The ids with the highest sums of 1 / (60 + rank), best first; equal ones in the order of the first list. */
export function fuseRanks(lists: readonly (readonly number[])[], limit: number): number[] {
  const scores = new Map<number, number>();
  for (const list of lists)
    for (const [place, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + place + 1));
  return [...scores]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, limit)
    .map(([id]) => id);
}
