/**
 * The SQL of the calls list by cursor: one prepared statement for each combination of filters reads on from a call in the
 * index of the list, and counts nothing. A filter that few calls pass would read the index to its end; so with a filter
 * that `call_counts` knows, the counts say how many days back the rows of a page lie (docs/decisions/call-counts.md).
 */
import { statement, type Statement } from '@parley/db';
import { CALL_LIST_COLUMNS, CALL_LIST_JOINS, type CallListRow } from './call-record.ts';
import {
  conditionsOf,
  countsOfDays,
  dayOf,
  FILTER_NAMES,
  startOf,
  within,
  type Conditions,
  type FilterName,
} from './calls-page-sql.ts';

/** A call, with the microseconds since 1970 of its creation, which a Date would round. */
export type CallAfterRow = CallListRow & { createdUs: number };

/** Positions of the values that are always bound: user, time zone, number of calls, microseconds of the position. */
const USER = '$1';
const ZONE = '$2::text';
const LIMIT = '$3::bigint';
const AFTER = `(timestamptz 'epoch' + $4::bigint * interval '1 microsecond')`;

const known = new Map<string, Statement<CallAfterRow>>();

/**
 * The id of the position is bound last.
 *
 * @param given - in the order of {@link FILTER_NAMES}
 */
export function callsAfterSql(given: readonly FilterName[]): Statement<CallAfterRow> {
  const key = given.map((name) => FILTER_NAMES.indexOf(name)).join('');
  const made = known.get(key) ?? statement<CallAfterRow>(`list_calls_after_${key}`, listSql(given));
  known.set(key, made);
  return made;
}

/** `created_at` is compared alone too, because only that excludes partitions. */
function listSql(given: readonly FilterName[]): string {
  const conditions = conditionsOf(given);
  const { ofCalls, ofCounts, client, period } = conditions;
  const isCounted = ofCounts !== '' && client === '';
  const since = isCounted ? ' and created_at >= (select starts from span)' : '';
  return `with ${isCounted ? `${spanOf(conditions)}, ` : ''}page as (
      select id, created_at from calls
      where user_id = ${USER} and ${ZONE} is not null${ofCalls}${client}${within('created_at', period)}${since}
        and created_at <= ${AFTER} and (created_at, id) < (${AFTER}, $${given.length + 5}::bigint)
      order by created_at desc, id desc limit ${LIMIT}
    )
    select ${CALL_LIST_COLUMNS}, (extract(epoch from c.created_at) * 1000000)::bigint as created_us
    from page join calls c using (id, created_at) ${CALL_LIST_JOINS}
    order by c.created_at desc, c.id desc`;
}

/** `starts`: the beginning of the day that contains the last call of the page, or of the first day with any. */
function spanOf(conditions: Conditions): string {
  return `days as materialized (
      select day, sum(count)::bigint as count from (${countsOfDays(conditions)}) parts group by day
    ), earlier as (
      select day, sum(count) over (order by day desc) as through from days
      where count > 0 and day < ${dayOf(AFTER)}
    ), span as (
      select ${startOf(
        `coalesce(max(day) filter (where through >= ${LIMIT}), min(day), ${dayOf(AFTER)})`,
      )} as starts from earlier
    )`;
}
