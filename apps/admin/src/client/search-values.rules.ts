/**
 * Reads values of the search part of a URL. Invalid values are dropped, so that an old or mistyped URL still shows a list.
 */

/** An id or a page; undefined for anything else. */
export function positiveInteger(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** The number of a page. Page 1 is omitted from URLs. */
export function pageNumber(value: unknown): number | undefined {
  const page = positiveInteger(value);
  return page === 1 ? undefined : page;
}

/** The router parses values as JSON, so text of digits arrives as a number. */
export function searchText(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

/** A choice of a filter. */
export function oneOf<Choice extends string>(choices: readonly Choice[], value: unknown): Choice | undefined {
  return choices.find((choice) => choice === value);
}

/** `YYYY-MM-DD`. Browsers read 30 February as a day in March. */
export function calendarDay(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? value : undefined;
}

/** Changes of the search part; `undefined` removes a value. */
export type SearchChanges<Search> = { [Name in keyof Search]: Search[Name] | undefined };

/** What in the search part of a list is no filter: its place, its order and what is open beside it. */
const NO_FILTERS: ReadonlySet<string> = new Set(['before', 'order', 'page', 'preview', 'row', 'sort']);

function filtersOf(search: object): string[] {
  return Object.keys(search).filter((name) => !NO_FILTERS.has(name));
}

/** Whether anything is filtered. */
export function hasFilters(search: object): boolean {
  return filtersOf(search).length > 0;
}

/** Removes all filters. */
export function clearedFilters<Search extends object>(search: Search): SearchChanges<Search> {
  return Object.fromEntries(
    filtersOf(search).map((name) => [name, undefined]),
  ) as unknown as SearchChanges<Search>;
}

/** The router omits `undefined` from URLs, but its types require absent properties. */
export function withoutUndefined<Search extends object>(search: SearchChanges<Search>): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;
}
