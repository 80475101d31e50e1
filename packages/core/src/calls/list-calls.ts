/**
 * A user's calls, newest first. Pages are found on the index alone and joined with the rows afterwards, so that a deep
 * page does not fetch every row before it, and from the end that is nearer. Each combination of filters is a prepared statement of its own.
 */
import type { CallRecord, CallStatus, CallType } from '@parley/contracts';
import { statement, type SqlValue, type Statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { normalisePhoneNumber } from '../shared/phone-number.ts';
import type { Identity } from '../users/identity.ts';
import { CALL_LIST_COLUMNS, callRecord, RECORDING_JOIN, type CallListRow } from './call-record.ts';

/** Which calls, and which page of them. */
export interface CallFilters {
  /** From 1. */
  page: number;
  perPage: number;
  status?: CallStatus | undefined;
  type?: CallType | undefined;
  /** The client's number. */
  phoneNumber?: string | undefined;
  assistantId?: number | undefined;
  campaignId?: number | undefined;
  /** `YYYY-MM-DD`, inclusive, in the user's time zone. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}

/** Conditions in a fixed order; `$n` is the value's place, `$2` the reader's time zone. */
const CONDITIONS = {
  status: (place: string) => `status = ${place}`,
  type: (place: string) => `type = ${place}`,
  phoneNumber: (place: string) => `client_phone_number = ${place}`,
  assistantId: (place: string) => `assistant_id = ${place}`,
  campaignId: (place: string) => `campaign_id = ${place}`,
  dateFrom: (place: string) => `created_at >= ${place}::date::timestamp at time zone $2`,
  dateTo: (place: string) => `created_at < (${place}::date + 1)::timestamp at time zone $2`,
};

type FilterName = keyof typeof CONDITIONS;
const FILTER_NAMES = Object.keys(CONDITIONS) as FilterName[];

/** One page, and how many calls there are on all pages. */
export async function listCalls(
  ctx: CoreContext,
  identity: Identity,
  filters: CallFilters,
): Promise<{ rows: CallRecord[]; total: number }> {
  const values: Partial<Record<FilterName, SqlValue | undefined>> = {
    ...filters,
    phoneNumber: readPhoneFilter(filters),
  };
  const given = FILTER_NAMES.filter((name) => values[name] !== undefined);
  const bound: SqlValue[] = [
    identity.userId,
    identity.timezone,
    ...given.map((name) => values[name] ?? null),
  ];
  const { rows, total } = await findPage(ctx, statementsFor(given), { bound, ...filters });
  const options = { publicUrl: ctx.publicUrl, timezone: identity.timezone };
  return { rows: rows.map((row) => callRecord(row, options)), total };
}

/** From here on it pays to count first, and then to know which end is nearer. */
const DEEP_OFFSET = 1000;

interface WantedPage extends Pick<CallFilters, 'page' | 'perPage'> {
  /** What the conditions are bound with. */
  bound: SqlValue[];
}

async function findPage(
  { db }: CoreContext,
  { fromNewest, fromOldest, count }: ListStatements,
  { bound, page, perPage }: WantedPage,
): Promise<{ rows: CallListRow[]; total: number }> {
  const offset = (page - 1) * perPage;
  const readTotal = async (): Promise<number> => (await db.query(count, bound))[0]?.total ?? 0;
  const read = (from: Statement<CallListRow>, limit: number, skipped: number): Promise<CallListRow[]> =>
    db.query(from, [...bound, limit, skipped]);
  if (offset < DEEP_OFFSET) {
    const [rows, total] = await Promise.all([read(fromNewest, perPage, offset), readTotal()]);
    return { rows, total };
  }
  const total = await readTotal();
  const length = Math.min(perPage, total - offset);
  if (length <= 0) return { rows: [], total };
  const older = total - offset - length;
  const rows = await (older < offset ? read(fromOldest, length, older) : read(fromNewest, length, offset));
  return { rows, total };
}

interface ListStatements {
  fromNewest: Statement<CallListRow>;
  fromOldest: Statement<CallListRow>;
  count: Statement<{ total: number }>;
}

const known = new Map<string, ListStatements>();

function statementsFor(given: readonly FilterName[]): ListStatements {
  // Short, because Postgres tells statements apart by the first 63 characters of their names.
  const key = given.map((name) => FILTER_NAMES.indexOf(name)).join('');
  const made = known.get(key) ?? makeStatements(key, given);
  known.set(key, made);
  return made;
}

function makeStatements(key: string, given: readonly FilterName[]): ListStatements {
  // The time zone is always bound, so it must always be used.
  const always = ['user_id = $1', '$2::text is not null'];
  const where = [...always, ...given.map((name, index) => CONDITIONS[name](`$${index + 3}`))].join(' and ');
  const limit = `limit $${given.length + 3} offset $${given.length + 4}`;
  const from = (order: 'asc' | 'desc', name: string): Statement<CallListRow> =>
    statement(
      `${name}_${key}`,
      `with page as (
         select id, created_at from calls where ${where} order by created_at ${order}, id ${order} ${limit}
       )
       select ${CALL_LIST_COLUMNS}
       from page join calls c using (id, created_at) ${RECORDING_JOIN}
       order by c.created_at desc, c.id desc`,
    );
  return {
    fromNewest: from('desc', 'list_calls'),
    fromOldest: from('asc', 'list_calls_from_oldest'),
    count: statement(`count_calls_${key}`, `select count(*) as total from calls where ${where}`),
  };
}

/** People filter by what they see or type; only E.164 is stored, except for callers without a number. */
function readPhoneFilter(filters: CallFilters): string | undefined {
  return filters.phoneNumber && (normalisePhoneNumber(filters.phoneNumber) ?? filters.phoneNumber);
}
