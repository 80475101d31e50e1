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
  /** Microseconds since 1970 on the clock of the database; a Date would drop the microseconds. */
  sinceUs: number;
  /** Changes since then that were already returned. */
  seen: ReadonlySet<string>;
}

/** Maximum time between the timestamp of a change and its commit, microseconds. */
const OVERLAP_US = 5_000_000;
/** Further changes follow with the next reading. */
const MAX_ROWS = 200;

type ChangedRow = CallListRow & { changedUs: number };

const selectNow = statement<{ nowUs: number }>(
  'change_cursor',
  `select (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us`,
);
const selectChanged = statement<ChangedRow>(
  'calls_changed_since',
  `select ${CALL_LIST_COLUMNS}, (extract(epoch from c.changed_at) * 1000000)::bigint as changed_us
   from calls c ${CALL_LIST_JOINS}
   where c.user_id = $1 and c.changed_at >= timestamptz 'epoch' + $2::bigint * interval '1 microsecond'
   order by c.changed_at limit ${MAX_ROWS}`,
);

/** A cursor for the changes from now on. */
export async function startOfChanges(ctx: CoreContext): Promise<ChangeCursor> {
  const [row] = await ctx.db.query(selectNow);
  if (!row) throw new Error('The database did not tell its time');
  return { sinceUs: row.nowUs, seen: new Set() };
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
  const rows = await ctx.db.query(selectChanged, [input.userId, input.cursor.sinceUs]);
  const fresh = rows.filter((row) => !input.cursor.seen.has(changeKey(row)));
  const options = { ...ctx, timezone: input.timezone };
  return { rows: fresh.map((row) => callSummary(row, options)), cursor: advance(input.cursor, rows) };
}

function advance(cursor: ChangeCursor, rows: readonly ChangedRow[]): ChangeCursor {
  const newestUs = rows.at(-1)?.changedUs;
  if (newestUs === undefined) return cursor;
  const lookBackUs = rows.length < MAX_ROWS ? OVERLAP_US : 0;
  const sinceUs = Math.max(cursor.sinceUs, newestUs - lookBackUs);
  return { sinceUs, seen: new Set(rows.filter((row) => row.changedUs >= sinceUs).map(changeKey)) };
}

function changeKey(row: ChangedRow): string {
  return `${row.id}@${row.changedUs}`;
}
