/** The four kinds of faults of a dialer, counted by the oracle. A rate counts only if all are zero. */

/** Number of faults by kind. */
export type Correctness = Record<'lost' | 'twice' | 'overCap' | 'outsideWindow', number>;

/** @returns the sums over several measurements */
export function addUp(all: readonly Correctness[]): Correctness {
  const total: Correctness = { lost: 0, twice: 0, overCap: 0, outsideWindow: 0 };
  for (const one of all) {
    for (const kind of Object.keys(total) as (keyof Correctness)[]) total[kind] += one[kind];
  }
  return total;
}

/** @returns the line that is printed with every rate */
export function formatCorrectness({ lost, twice, overCap, outsideWindow }: Correctness): string {
  return `lost ${lost}  twice ${twice}  over cap ${overCap}  outside window ${outsideWindow}`;
}
