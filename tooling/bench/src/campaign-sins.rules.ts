/** The four sins of a dialer, counted by its judge. All zero, or no rate counts. */

/** See the head of the file. */
export type Correctness = Record<'lost' | 'twice' | 'overCap' | 'outsideWindow', number>;

/** @returns the sins of several measurements together */
export function addUp(all: readonly Correctness[]): Correctness {
  const total: Correctness = { lost: 0, twice: 0, overCap: 0, outsideWindow: 0 };
  for (const one of all) {
    for (const sin of Object.keys(total) as (keyof Correctness)[]) total[sin] += one[sin];
  }
  return total;
}

/** @returns the one line that every rate needs */
export function sinsInWords({ lost, twice, overCap, outsideWindow }: Correctness): string {
  return `lost ${lost}  twice ${twice}  over cap ${overCap}  outside window ${outsideWindow}`;
}
