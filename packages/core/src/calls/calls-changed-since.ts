/**
 * The changes among a user's calls, for pages that show them live by polling. A change may be committed slightly later
 * than its timestamp, so each reading looks back a few seconds and leaves out what it has already returned.
 */
import type { CallSummary } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { CALL_LIST_COLUMNS, CALL_LIST_JOINS, callSummary, type CallListRow } from './call-record.ts';

/** The position of a reader; created by {@link startOfChanges}, replaced by every reading. Opaque to callers. */
export interface ChangeCursor {
  /** On the clock of the database. */
  since: Date;
  /** Changes later than `since` that were already returned. */
  seen: ReadonlySet<string>;
}

/** Maximum time between the timestamp of a change and its commit, milliseconds. */
const OVERLAP_MS = 5_000;
/** Further changes follow with the next reading. */
const MAX_ROWS = 200;

/** `changeStamp` keeps the microseconds, which a Date would drop. */
type ChangedRow = CallListRow & { changedAt: Date; changeStamp: string };

const selectNow = statement<{ at: Date }>('change_cursor', `select clock_timestamp() as at`);
const selectChanged = statement<ChangedRow>(
  'calls_changed_since',
  `select ${CALL_LIST_COLUMNS}, c.changed_at, c.changed_at::text as change_stamp
   from calls c ${CALL_LIST_JOINS}
   where c.user_id = $1 and c.changed_at >= $2
   order by c.changed_at limit ${MAX_ROWS}`,
);

/** A cursor for the changes from now on. */
export async function startOfChanges(ctx: CoreContext): Promise<ChangeCursor> {
  const [row] = await ctx.db.query(selectNow);
  if (!row) throw new Error('The database did not tell its time');
  return { since: row.at, seen: new Set() };
}

/**
 * Each change once, in order. A call that changed several times between two readings is returned once, in its present
 * state.
 *
 * @param input - `timezone` is that of the reader
 */
export async function callsChangedSince(
  ctx: CoreContext,
  input: { userId: number; timezone: string; cursor: ChangeCursor },
): Promise<{ rows: CallSummary[]; cursor: ChangeCursor }> {
  const rows = await ctx.db.query(selectChanged, [input.userId, input.cursor.since]);
  const fresh = rows.filter((row) => !input.cursor.seen.has(changeKey(row)));
  const options = { ...ctx, timezone: input.timezone };
  return { rows: fresh.map((row) => callSummary(row, options)), cursor: advance(input.cursor, rows) };
}

function advance(cursor: ChangeCursor, rows: readonly ChangedRow[]): ChangeCursor {
  const newest = rows.at(-1)?.changedAt;
  if (!newest) return cursor;
  const lookBack = rows.length < MAX_ROWS ? OVERLAP_MS : 0;
  const since = new Date(Math.max(cursor.since.getTime(), newest.getTime() - lookBack));
  return { since, seen: new Set(rows.filter((row) => row.changedAt >= since).map(changeKey)) };
}

function changeKey(row: ChangedRow): string {
  return `${row.id}@${row.changeStamp}`;
}
