/** The leads that an operator has selected, and the requests that change them. */

/** Single leads, or all leads of the filter. */
export type LeadSelection = ReadonlySet<number> | 'all';

/** The most that the server changes in one request. */
const MOST_IN_REQUEST = 100;

/** How many leads are selected. */
export function countSelected(selection: LeadSelection, total: number): number {
  return selection === 'all' ? total : selection.size;
}

/** The selection with these leads added, or without them. */
export function withLeads(
  selection: LeadSelection,
  ids: readonly number[],
  isSelected: boolean,
): ReadonlySet<number> {
  const before = selection === 'all' ? new Set<number>() : selection;
  return isSelected ? before.union(new Set(ids)) : before.difference(new Set(ids));
}

/** Whether a lead is selected. */
export function isSelected(selection: LeadSelection, id: number): boolean {
  return selection === 'all' || selection.has(id);
}

/** Pieces for one request each. */
export function piecesOf(ids: ReadonlySet<number>): number[][] {
  const all = [...ids];
  const count = Math.ceil(all.length / MOST_IN_REQUEST);
  return Array.from({ length: count }, (_, place) =>
    all.slice(place * MOST_IN_REQUEST, (place + 1) * MOST_IN_REQUEST),
  );
}
