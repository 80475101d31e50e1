/**
 * Where a row that arrived live goes in a page of calls that is already on screen. Known rows are
 * renewed in place; new ones appear at the top of the first page if they pass its filters.
 */
import type { CallOutcome, CallStatus, CallSummary, CallType } from '@parley/contracts';
import type { CallSort } from './call-search.rules.ts';

/** The changed part of a page; the links of the envelope stay unchanged. */
interface Page {
  current_page: number;
  per_page: number;
  total: number;
  data: CallSummary[];
}

/** The filters of a page. */
export interface PageFilters {
  status?: CallStatus | undefined;
  type?: CallType | undefined;
  outcome?: CallOutcome | undefined;
  disposition?: string | undefined;
  phone_number?: string | undefined;
  assistant_id?: number | undefined;
  campaign_id?: number | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
  sort?: CallSort | undefined;
  is_ascending?: boolean | undefined;
}

/** Whether only the server can decide which new rows belong to a page, because rows contain no ids of assistants and campaigns. */
export function needsAsking(filters: PageFilters): boolean {
  return filters.assistant_id !== undefined || filters.campaign_id !== undefined;
}

/** Calls in progress. */
export interface LiveCalls {
  /** The newest ones. */
  rows: CallSummary[];
  /** The number of all calls in progress. */
  total: number;
}

/** Digits only: people type numbers with spaces, dashes and brackets. */
function digits(text: string): string {
  return text.replace(/\D/g, '');
}

/** Whether a row passes the filters, those for assistant and campaign aside. */
export function passesFilters(filters: PageFilters, row: CallSummary): boolean {
  if (filters.status !== undefined && filters.status !== row.status) return false;
  if (filters.type !== undefined && filters.type !== row.type) return false;
  if (filters.outcome !== undefined && filters.outcome !== row.outcome) return false;
  if (filters.disposition !== undefined && filters.disposition !== row.disposition) return false;
  const day = row.created_at.slice(0, 10);
  if (day < (filters.date_from ?? day) || day > (filters.date_to ?? day)) return false;
  return digits(row.client_phone_number).includes(digits(filters.phone_number ?? ''));
}

/** Newest first; calls of one instant by id, as the server sorts them. */
function isNewer(row: CallSummary, other: CallSummary): boolean {
  if (row.created_at !== other.created_at) return row.created_at > other.created_at;
  return row.id > other.id;
}

function insert<Kind extends Page>(page: Kind, row: CallSummary): Kind {
  const place = page.data.findIndex((other) => isNewer(row, other));
  const data = page.data.toSpliced(place === -1 ? page.data.length : place, 0, row);
  return { ...page, total: page.total + 1, data: data.slice(0, page.per_page) };
}

/**
 * Puts an arrived row into a page.
 *
 * A row whose status no longer passes the filter stays where it is until the page is asked for again:
 * a row that vanishes under the pointer is worse than one that is a moment out of place.
 *
 * @returns the same page when nothing changed
 */
export function mergeLiveCall<Kind extends Page>(page: Kind, filters: PageFilters, row: CallSummary): Kind {
  const known = page.data.findIndex(({ id }) => id === row.id);
  if (known !== -1) return { ...page, data: page.data.with(known, row) };
  if (page.current_page !== 1 || needsAsking(filters) || !passesFilters(filters, row)) return page;
  // In another order its place may be on any page.
  if ((filters.sort ?? 'started') !== 'started' || filters.is_ascending) return page;
  const last = page.data.at(-1);
  // Older than everything on a full page: an old call that changed, on one of the pages below.
  if (last && page.data.length >= page.per_page && !isNewer(row, last)) return page;
  return insert(page, row);
}

/**
 * Puts an arrived row into the calls in progress: a call that ended leaves them.
 *
 * @returns null where only the server knows: which calls follow the newest ones, or whether a filter has a new call
 */
export function mergeIntoLive(list: LiveCalls, filters: PageFilters, row: CallSummary): LiveCalls | null {
  const known = list.rows.findIndex(({ id }) => id === row.id);
  const isLive = row.outcome === null;
  if (known !== -1 && isLive) return { ...list, rows: list.rows.with(known, row) };
  if (list.total > list.rows.length) return null;
  if (known !== -1) return { rows: list.rows.toSpliced(known, 1), total: list.total - 1 };
  if (!isLive) return list;
  if (needsAsking(filters)) return null;
  const place = list.rows.findIndex((other) => isNewer(row, other));
  const rows = list.rows.toSpliced(place === -1 ? list.rows.length : place, 0, row);
  return { rows, total: list.total + 1 };
}
