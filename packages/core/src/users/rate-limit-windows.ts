/**
 * What rate limits have counted in all api processes. Each process counts in its memory and adds what it has counted from
 * time to time. SQL, because the processes increment the same counters; an unlogged table, because the counts of a minute
 * may be lost with a crash of Postgres.
 */
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { hashSecret } from '../shared/random-secret.ts';

/** The requests of a window of time under one key. */
export interface CountedWindow {
  /** What is limited. May contain a network address; only its SHA-256 is stored. */
  key: string;
  /** Milliseconds since 1970. */
  startedAtMs: number;
  used: number;
}

/**
 * Windows that begin up to their length in the future belong to a process whose clock is ahead. In the order of the keys,
 * so that two processes cannot deadlock.
 */
const addWindows = statement<{ key: string; startedAt: Date; used: number }>(
  'add_rate_limit_windows',
  `insert into rate_limit_windows as w (key, started_at, used)
   select decode(c.key, 'hex'), c.started_at, c.used
   from unnest($1::text[], $2::timestamptz[], $3::int[]) as c (key, started_at, used) order by c.key
   on conflict (key) do update set
     used = case when w.started_at > $4 and w.started_at < $5 then w.used else 0 end + excluded.used,
     started_at = case when w.started_at > $4 and w.started_at < $5 then w.started_at else excluded.started_at end
   returning encode(key, 'hex') as key, started_at, used`,
);
/** Rows that another process updates or deletes at this moment are left to it. */
const forgetWindows = statement(
  'forget_old_rate_limit_windows',
  `delete from rate_limit_windows where key in (
     select key from rate_limit_windows where started_at < $1 for update skip locked)`,
);

/**
 * Adds `used` to the windows of all processes, in one statement. A window that has ended is replaced.
 *
 * @param counted - windows that have not ended, each key once, with the requests that were not added yet
 * @param lengthMs - of each window
 * @returns start and count of each window, for all processes together
 */
export async function addToWindows(
  ctx: Pick<CoreContext, 'db' | 'clock'>,
  counted: readonly CountedWindow[],
  lengthMs: number,
): Promise<CountedWindow[]> {
  const keys = new Map(counted.map(({ key }) => [hashSecret(key).toString('hex'), key]));
  const nowMs = ctx.clock.now();
  const rows = await ctx.db.query(addWindows, [
    [...keys.keys()],
    counted.map(({ startedAtMs }) => new Date(startedAtMs).toISOString()),
    counted.map(({ used }) => used),
    new Date(nowMs - lengthMs),
    new Date(nowMs + lengthMs),
  ]);
  return rows.map(({ key, startedAt, used }) => ({
    key: keys.get(key) ?? '',
    startedAtMs: startedAt.getTime(),
    used,
  }));
}

/** Deletes the windows that have ended for every process, also for one whose clock is behind by their length. */
export async function forgetOldWindows(
  ctx: Pick<CoreContext, 'db' | 'clock'>,
  lengthMs: number,
): Promise<void> {
  await ctx.db.query(forgetWindows, [new Date(now(ctx).getTime() - 2 * lengthMs)]);
}
