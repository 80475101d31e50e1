/** The period of the overview in the URL. */
import { positiveInteger } from '../client/search-values.rules.ts';

/** Search part of `/overview`. */
export interface OverviewSearch {
  /** How many days; absent: 7. */
  days?: 30 | 90;
}

/** Reads the search part of a URL. */
export function readOverviewSearch(raw: Record<string, unknown>): OverviewSearch {
  const days = positiveInteger(raw['days']);
  return days === 30 || days === 90 ? { days } : {};
}
