/**
 * A user's calls, newest first: by page numbers with exact totals, or on from a call. `calls-page-sql.ts` and
 * `calls-after-sql.ts` have the statements.
 */
import type { CallOutcome, CallRecord, CallStatus, CallSummary, CallType } from '@parley/contracts';
import type { SqlValue } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { normalisePhoneNumber } from '../shared/phone-number.ts';
import type { Identity } from '../users/identity.ts';
import { callRecord, callSummary, type CallListRow } from './call-record.ts';
import { callsAfterSql } from './calls-after-sql.ts';
import { callsPageSql, FILTER_NAMES, NEWEST_FIRST, type FilterName } from './calls-page-sql.ts';

/** The filters and the page. */
export interface CallFilters extends CallConditions {
  /** From 1. */
  page: number;
  perPage: number;
}

/** Which calls a list has; absent values are no condition. */
export interface CallConditions {
  status?: CallStatus | undefined;
  type?: CallType | undefined;
  /** Only calls that have ended have one. */
  outcome?: CallOutcome | undefined;
  /** As the list of a campaign names it. */
  disposition?: string | undefined;
  /** The client's number, or part of it. */
  phoneNumber?: string | undefined;
  assistantId?: number | undefined;
  campaignId?: number | undefined;
  /** `YYYY-MM-DD`, inclusive, in the user's time zone. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}

/** A page of calls, and the number of calls on all pages. */
interface CallList<Kind> {
  rows: Kind[];
  total: number;
}

/** One page of the public list, from one snapshot. */
export async function listCalls(
  ctx: CoreContext,
  identity: Identity,
  filters: CallFilters,
): Promise<CallList<CallRecord>> {
  const { rows, total } = await readPage(ctx, identity, filters);
  return { rows: rows.map((row) => callRecord(row, { ...ctx, timezone: identity.timezone })), total };
}

/** The position of a call in the list: microseconds since 1970 of its creation, and its id. */
export type CallPosition = readonly [createdUs: number, id: number];

/** Before every call. */
const BEGINNING: CallPosition = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/**
 * The calls after a position, also when the call that it came from no longer exists. Calls that are placed meanwhile change
 * nothing, because they come before it.
 *
 * @param from - `after`: null for the newest calls
 * @returns `next`: the position of the last call; null when there is no further one
 */
export async function listCallsAfter(
  ctx: CoreContext,
  identity: Identity,
  filters: CallConditions,
  from: { after: CallPosition | null; perPage: number },
): Promise<{ rows: CallRecord[]; next: CallPosition | null }> {
  const { rows, next } = await readAfter(ctx, identity, filters, from);
  const options = { ...ctx, timezone: identity.timezone };
  return { rows: rows.map((row) => callRecord(row, options)), next };
}

/** Calls of one query of {@link streamCallSummaries}; their transcripts are read too. */
const BATCH_SIZE = 100;

/** All calls of a filter, newest first, in batches; ends when the consumer stops reading. */
export async function* streamCallSummaries(
  ctx: CoreContext,
  identity: Identity,
  filters: CallConditions,
): AsyncGenerator<CallSummary[]> {
  const options = { ...ctx, timezone: identity.timezone };
  let after: CallPosition | null = null;
  do {
    const page: CallPage = await readAfter(ctx, identity, filters, { after, perPage: BATCH_SIZE });
    yield page.rows.map((row) => callSummary(row, options));
    after = page.next;
  } while (after !== null);
}

interface CallPage {
  rows: CallListRow[];
  next: CallPosition | null;
}

async function readAfter(
  ctx: CoreContext,
  identity: Identity,
  filters: CallConditions,
  from: { after: CallPosition | null; perPage: number },
): Promise<CallPage> {
  const { given, values } = readFilters(filters);
  const [createdUs, id] = from.after ?? BEGINNING;
  const found = await ctx.db.query(callsAfterSql(given), [
    identity.userId,
    identity.timezone,
    from.perPage + 1,
    createdUs,
    ...values,
    id,
  ]);
  const rows = found.slice(0, from.perPage);
  const last = found.length > from.perPage ? rows.at(-1) : undefined;
  return { rows, next: last ? [last.createdUs, last.id] : null };
}

/**
 * A page in any order, with the outcome of each call, for the admin app.
 *
 * @returns `isSorted`: false where too many calls match for the wished order, so that the newest are first
 */
export async function listCallSummaries(
  ctx: CoreContext,
  identity: Identity,
  filters: CallFilters,
  order = NEWEST_FIRST,
): Promise<CallList<CallSummary> & { isSorted: boolean }> {
  const sorted = await readPage(ctx, identity, filters, order);
  const isSorted = sorted.rows.length > 0 || sorted.total <= (filters.page - 1) * filters.perPage;
  const { rows, total } = isSorted ? sorted : await readPage(ctx, identity, filters);
  const options = { ...ctx, timezone: identity.timezone };
  return { rows: rows.map((row) => callSummary(row, options)), total, isSorted };
}

async function readPage(
  ctx: CoreContext,
  identity: Identity,
  filters: CallFilters,
  order = NEWEST_FIRST,
): Promise<CallList<CallListRow>> {
  const { given, values } = readFilters(filters);
  const { page, perPage } = filters;
  const found = await ctx.db.query(callsPageSql(given, order), [
    identity.userId,
    identity.timezone,
    perPage,
    (page - 1) * perPage,
    ...values,
  ]);
  const rows = found.filter((row): row is CallListRow & { total: number } => row.id !== null);
  return { rows, total: found[0]?.total ?? 0 };
}

/** The filters that are given, and their values in the same order. */
function readFilters(filters: CallConditions): { given: FilterName[]; values: SqlValue[] } {
  const values: Partial<Record<FilterName, SqlValue | undefined>> = {
    ...filters,
    ...readPhoneFilter(filters.phoneNumber),
  };
  const given = FILTER_NAMES.filter((name) => values[name] !== undefined);
  return { given, values: given.map((name) => values[name] ?? null) };
}

/** A number with its country is found by the index, also while it is incomplete; any other text is part of a number. */
function readPhoneFilter(
  text: string | undefined,
): Partial<Record<'phoneNumber' | 'phonePart', string | undefined>> {
  if (!text) return { phoneNumber: undefined };
  const whole = normalisePhoneNumber(text);
  return whole === null
    ? { phoneNumber: undefined, phonePart: text.replaceAll(/[\s().\-/]/g, '') || text }
    : { phoneNumber: whole };
}
