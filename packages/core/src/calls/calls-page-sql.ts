/**
 * The SQL of the calls list: one prepared statement for each combination of filters answers with a page and the exact
 * total, out of one snapshot. Nothing is counted that `call_counts` knows: the counts of each day say on which days a page
 * lies and how far into them, so that the last of 66,000 pages costs no more than the first (docs/decisions/call-counts.md).
 * A client's number has few calls, and so has a disposition; those are counted one by one. Part of a number reads all calls of the user.
 *
 * Only the creation has an index. By duration or cost, the page is sorted out of all calls between the first and the last
 * day with a match; over {@link MOST_SORTED} calls there, the page is empty.
 */
import { callStatuses } from '@parley/contracts';
import { statement, type Statement } from '@parley/db';
import { CALL_LIST_COLUMNS, CALL_LIST_JOINS, type CallListRow } from './call-record.ts';
import { callPhase } from './call-state.rules.ts';

/** The dimensions of the counts, and their columns. */
const COUNTED = [
  ['status', 'status'],
  ['type', 'type'],
  ['assistantId', 'assistant_id'],
  ['campaignId', 'campaign_id'],
  ['outcome', 'outcome'],
] as const;

/** SQL of a call's outcome; only the counts have a column for it. */
const OUTCOME_OF_CALL = 'parley_call_outcome(status, ended_reason, answered_by)';

/** The filters of the list; values are bound in this order, after the first four. */
export const FILTER_NAMES = [
  ...COUNTED.map(([name]) => name),
  'disposition',
  'phoneNumber',
  'phonePart',
  'dateFrom',
  'dateTo',
] as const;
/** One of {@link FILTER_NAMES}. */
export type FilterName = (typeof FILTER_NAMES)[number];

/** A call of the page with the total; an empty page is one row without a call. */
export type CallsPageRow = (CallListRow | { id: null }) & { total: number };

/** Positions of the values that are always bound: user, time zone, page size, calls to skip. */
const USER = '$1';
const ZONE = '$2::text';
const LIMIT = '$3::bigint';
const OFFSET = '$4::bigint';

/** The columns by which a list can be sorted. */
const SORTED_COLUMNS = { started: 'created_at', duration: 'duration_seconds', cost: 'total_cost' } as const;

/** The order of a list. */
export interface CallOrder {
  by: keyof typeof SORTED_COLUMNS;
  isAscending: boolean;
}

/** The order of every list that asks for no other. */
export const NEWEST_FIRST: CallOrder = { by: 'started', isAscending: false };

/** Postgres reads and sorts so many calls in about 50 ms. */
const MOST_SORTED = 20_000;

const known = new Map<string, Statement<CallsPageRow>>();

/** @param given - in the order of {@link FILTER_NAMES} */
export function callsPageSql(given: readonly FilterName[], order = NEWEST_FIRST): Statement<CallsPageRow> {
  // Short, because Postgres distinguishes the names of statements by their first 63 characters.
  const filters = given.map((name) => FILTER_NAMES.indexOf(name)).join('');
  const key = `${order.by === 'started' ? '' : `${order.by}_`}${order.isAscending ? 'up_' : ''}${filters}`;
  const made = known.get(key) ?? statement<CallsPageRow>(`list_calls_${key}`, pageSql(given, order));
  known.set(key, made);
  return made;
}

function pageSql(given: readonly FilterName[], order: CallOrder): string {
  const conditions = conditionsOf(given);
  return `with ${pageParts(conditions, order)}, found as (
      select ${CALL_LIST_COLUMNS} from page join calls c using (id, created_at) ${CALL_LIST_JOINS}
    )
    select total.total, found.* from total left join found on ${ZONE} is not null
    order by ${sortedBy(order, 'found.')}`;
}

/** `total` and `page`. */
function pageParts(conditions: Conditions, order: CallOrder): string {
  if (conditions.client) return countedByHand(conditions, order);
  return order.by === 'started' ? countedByDay(conditions, order) : sortedWithinDays(conditions, order);
}

function sortedBy({ by, isAscending }: CallOrder, table = ''): string {
  const columns = [...new Set([SORTED_COLUMNS[by], 'created_at', 'id'])];
  return columns.map((column) => `${table}${column} ${isAscending ? 'asc' : 'desc'}`).join(', ');
}

/** SQL of the filters that are given, bound from the fifth value on. */
export interface Conditions {
  /** For calls: ` and …`, or empty. */
  ofCalls: string;
  /** The same condition for the counts. */
  ofCounts: string;
  /** The conditions that no count knows: the client's number and the disposition; empty without these filters. */
  client: string;
  period: Period;
}

/** SQL of the beginning (inclusive) and the end (exclusive) of the period. Null: no bound. */
export interface Period {
  from: string | null;
  until: string | null;
}

/** @param given - in the order of {@link FILTER_NAMES} */
export function conditionsOf(given: readonly FilterName[]): Conditions {
  const equals = (name: FilterName, column: string): string =>
    given.includes(name) ? ` and ${column} = ${placeOf(name)}` : '';
  const placeOf = (name: FilterName): string => `$${given.indexOf(name) + 5}`;
  const instant = (name: FilterName, day: string): string | null =>
    given.includes(name) ? `((${day})::timestamp at time zone ${ZONE})` : null;
  return {
    ofCalls: COUNTED.map(([name, column]) =>
      equals(name, name === 'outcome' ? OUTCOME_OF_CALL : column),
    ).join(''),
    ofCounts: COUNTED.map(([name, column]) => equals(name, column)).join(''),
    client:
      (given.includes('disposition') ? hasDisposition(placeOf('disposition')) : '') +
      (given.includes('phoneNumber') ? startsWith(placeOf('phoneNumber')) : '') +
      (given.includes('phonePart')
        ? ` and position(${placeOf('phonePart')} in client_phone_number) > 0`
        : ''),
    period: {
      from: instant('dateFrom', `${placeOf('dateFrom')}::date`),
      until: instant('dateTo', `${placeOf('dateTo')}::date + 1`),
    },
  };
}

/** Finds the calls through the index of the user's dispositions. */
function hasDisposition(disposition: string): string {
  return ` and (id, created_at) in (select call_id, call_created_at from call_dispositions
    where user_id = ${USER} and disposition = ${disposition})`;
}

/**
 * A range condition, so that the index of clients is used under any collation: numbers have only digits, at most 15.
 */
function startsWith(number: string): string {
  return ` and client_phone_number between ${number} and ${number} || '${'9'.repeat(15)}'`;
}

/** From the index of clients. */
function countedByHand({ ofCalls, client, period }: Conditions, order: CallOrder): string {
  const where = `user_id = ${USER}${ofCalls}${client}${within('created_at', period)}`;
  const isSmall = order.by === 'started' ? '' : ` and (select total from total) <= ${MOST_SORTED}`;
  return `total as (select count(*) as total from calls where ${where}),
    page as (
      select id, created_at from calls where ${where}${isSmall}
      order by ${sortedBy(order)} limit ${LIMIT} offset ${OFFSET}
    )`;
}

/** SQL of the tables `days`, with the calls of each day that the filters pass, and `total`. */
function daysAndTotal(conditions: Conditions): string {
  return `days as materialized (
      select day, sum(count)::bigint as count from (${countsOfDays(conditions)}) parts group by day
    ), total as (
      select coalesce(sum(count), 0)::bigint as total from days
    )`;
}

/** From the counts of days: days before the page are skipped as a whole, the others row by row. */
function countedByDay(conditions: Conditions, order: CallOrder): string {
  const { ofCalls, period } = conditions;
  return `${daysAndTotal(conditions)}, ranked as (
      select day, count, sum(count) over (order by day ${order.isAscending ? 'asc' : 'desc'}) as through from days
    ), span as (
      select ${startOf('min(day)')} as starts, ${startOf('max(day) + 1')} as ends, min(through - count) as skipped
      from ranked where through > ${OFFSET} and through - count < ${OFFSET} + ${LIMIT}
    ), page as (
      select id, created_at from calls
      where user_id = ${USER}${ofCalls}${within('created_at', period)}
        and created_at >= (select starts from span) and created_at < (select ends from span)
      order by ${sortedBy(order)} limit ${LIMIT} offset (select ${OFFSET} - skipped from span)
    )`;
}

/** `weight` counts what the page reads: all calls of the user on these days, also those that the filters do not pass. */
function sortedWithinDays(conditions: Conditions, order: CallOrder): string {
  const { ofCalls, period } = conditions;
  const ofAllCalls = countsOfDays({ ofCalls: '', ofCounts: '', client: '', period });
  return `${daysAndTotal(conditions)}, span as (
      select min(day) as first, max(day) as last from days where count > 0
    ), weight as (
      select sum(count) as calls from (${ofAllCalls}) parts, span where day between span.first and span.last
    ), page as (
      select id, created_at from calls
      where user_id = ${USER}${ofCalls}${within('created_at', period)}
        and created_at >= (select ${startOf('first')} from span)
        and created_at < (select ${startOf('last + 1')} from span)
        and (select calls from weight) <= ${MOST_SORTED}
      order by ${sortedBy(order)} limit ${LIMIT} offset ${OFFSET}
    )`;
}

const UNFINISHED = callStatuses
  .filter((status) => callPhase(status) !== 'final')
  .map((status) => `'${status}'`)
  .join(', ');

/**
 * Rows of day and count. Whole days come from the counts and the changes noted since, with the calls that are not
 * settled yet. A user's day rarely begins with UTC's, so the calls between the ends of the period and the nearest whole
 * days are counted.
 */
export function countsOfDays({ ofCalls, ofCounts, period: { from, until } }: Conditions): string {
  const wholeDays = { from: from && nextDayOf(from), until: until && dayOf(until) };
  const wholePeriod = {
    from: wholeDays.from && startOf(wholeDays.from),
    until: wholeDays.until && startOf(wholeDays.until),
  };
  const counts = ofCounts === '' ? 'call_day_counts' : 'call_counts';
  const calls = (condition: string): string =>
    `select ${dayOf('created_at')} as day, 1 as count from calls where user_id = ${USER}${ofCalls}${condition}`;
  const parts = [
    `select day, count from ${counts} where user_id = ${USER}${ofCounts}${within('day', wholeDays)}`,
    `select day, change from call_count_changes where user_id = ${USER}${ofCounts}${within('day', wholeDays)}`,
    calls(` and status in (${UNFINISHED})${within('created_at', wholePeriod)}`),
  ];
  if (from) parts.push(calls(within('created_at', { from, until: least(wholePeriod.from, until) })));
  if (until) parts.push(calls(within('created_at', { from: greatest(wholePeriod), until })));
  return parts.join(' union all ');
}

/** SQL of ` and …`, or empty. */
export function within(column: string, { from, until }: Period): string {
  return `${from ? ` and ${column} >= ${from}` : ''}${until ? ` and ${column} < ${until}` : ''}`;
}

/** Null means no bound. */
function least(one: string | null, other: string | null): string {
  return `least(${one ?? 'null'}, ${other ?? 'null'})`;
}

/** The end of the whole days; before their beginning when a period contains none. */
function greatest({ from, until }: Period): string {
  return `greatest(${from ?? 'null'}, ${until ?? 'null'})`;
}

/** SQL of the day of an instant, UTC. */
export function dayOf(instant: string): string {
  return `(${instant} at time zone 'UTC')::date`;
}

/** The first day that begins at or after the instant. */
function nextDayOf(instant: string): string {
  return `(${instant} at time zone 'UTC' + interval '1 day' - interval '1 microsecond')::date`;
}

/** SQL of the instant at which a day begins, UTC. */
export function startOf(day: string): string {
  return `((${day})::timestamp at time zone 'UTC')`;
}
