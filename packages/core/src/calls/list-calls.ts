/** A user's calls, newest first, with exact totals; `calls-page-sql.ts` has the statements. */
import type { CallOutcome, CallRecord, CallStatus, CallSummary, CallType } from '@parley/contracts';
import type { SqlValue } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { normalisePhoneNumber } from '../shared/phone-number.ts';
import type { Identity } from '../users/identity.ts';
import { callRecord, callSummary, type CallListRow } from './call-record.ts';
import { callsPageSql, FILTER_NAMES, type FilterName } from './calls-page-sql.ts';

/** The filters and the page. */
export interface CallFilters {
  /** From 1. */
  page: number;
  perPage: number;
  status?: CallStatus | undefined;
  type?: CallType | undefined;
  /** Only calls that have ended have one. */
  outcome?: CallOutcome | undefined;
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

/** The same page with the outcome of each call, for the admin app. */
export async function listCallSummaries(
  ctx: CoreContext,
  identity: Identity,
  filters: CallFilters,
): Promise<CallList<CallSummary>> {
  const { rows, total } = await readPage(ctx, identity, filters);
  return { rows: rows.map((row) => callSummary(row, { ...ctx, timezone: identity.timezone })), total };
}

async function readPage(
  ctx: CoreContext,
  identity: Identity,
  filters: CallFilters,
): Promise<CallList<CallListRow>> {
  const values: Partial<Record<FilterName, SqlValue | undefined>> = {
    ...filters,
    ...readPhoneFilter(filters.phoneNumber),
  };
  const given = FILTER_NAMES.filter((name) => values[name] !== undefined);
  const { page, perPage } = filters;
  const found = await ctx.db.query(callsPageSql(given), [
    identity.userId,
    identity.timezone,
    perPage,
    (page - 1) * perPage,
    ...given.map((name) => values[name] ?? null),
  ]);
  const rows = found.filter((row): row is CallListRow & { total: number } => row.id !== null);
  return { rows, total: found[0]?.total ?? 0 };
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
