/**
 * Migrates a database to the newest schema: our migrations, those of the job queue, and the partitions of the next months.
 * Several processes may do this at once; a session lock serialises them. See docs/decisions/migrations-under-load.md.
 */
import { Client } from 'pg';
import { runMigrations } from 'graphile-worker';
import { pause, silentLog, systemClock, type Log } from '@parley/runtime';
import { createOrm } from './orm.ts';
import { isLockTimeout } from './sql-errors.ts';

const MONTHS_AHEAD = 3;
/** Any constant that is not locked elsewhere. */
const MIGRATION_LOCK = 7_265_001;

/**
 * A statement that waits for a table stops every later statement on it, reads included, so it waits for at most this time
 * and is repeated after a pause, milliseconds.
 */
const LOCK_LIMIT_MS = 100;
const RETRY_PAUSE_MS = 500;
/**
 * After this time the migration fails, because a transaction has been open for longer than any of ours may be.
 * Milliseconds.
 */
const PATIENCE_MS = 10 * 60_000;

/** Workers read the locked jobs twice a second (pool-liveness.ts); without this index they would scan the whole queue. */
const LOCKED_JOBS_INDEX = `create index if not exists parley_locked_jobs
  on graphile_worker._private_jobs (locked_by) where locked_by is not null`;

/**
 * Safe to repeat and to run in several processes at once.
 *
 * @param url - a direct connection; a session lock does not survive a transaction pooler
 * @param last - the name of the last migration of ours to run; default all. For tests of the later ones
 */
export async function migrate(url: string, log: Log = silentLog, last?: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    // After the session lock, which another process may hold for the whole of its migration.
    await client.query(`set lock_timeout = ${LOCK_LIMIT_MS}`);
    const steps = [
      () => adoptPreviewSchema(client),
      () => migrateOwnTables(url, log, last),
      () => runMigrations({ connectionString: withLockTimeout(url) }),
      () => client.query(LOCKED_JOBS_INDEX),
      () => client.query('select parley_ensure_call_partitions($1)', [MONTHS_AHEAD]),
    ];
    for (const step of steps) await untilUnlocked(step, log);
  } finally {
    await client.end();
  }
}

/** Each migration is one transaction, so that a repetition continues with the one that got no lock. */
async function untilUnlocked(step: () => Promise<unknown>, log: Log): Promise<void> {
  const limitMs = systemClock.monotonic() + PATIENCE_MS;
  for (;;) {
    try {
      await step();
      return;
    } catch (error) {
      if (!isLockTimeout(error) || systemClock.monotonic() > limitMs) throw error;
      log.info('A migration waits for a transaction that uses its table, and tries again');
      await pause(systemClock, RETRY_PAUSE_MS);
    }
  }
}

function withLockTimeout(url: string): string {
  const limited = new URL(url);
  const options = [limited.searchParams.get('options'), `-c lock_timeout=${LOCK_LIMIT_MS}`];
  limited.searchParams.set('options', options.filter(Boolean).join(' '));
  return limited.href;
}

/** Last of the 22 migrations that the previews before the first release ran. Together they created the tables of `01-tables`. */
const LAST_PREVIEW_MIGRATION = '24-call-day-counts';

/** An installation of the last preview keeps its data: its migrations count as those of the first release. */
async function adoptPreviewSchema(client: Client): Promise<void> {
  const known = await client.query(`select to_regclass('mikro_orm_migrations') is not null as is_known`);
  if (known.rows[0]?.is_known !== true) return;
  const sql = `with preview as (
      delete from mikro_orm_migrations
      where exists (select 1 from mikro_orm_migrations where name = $1) returning name
    )
    insert into mikro_orm_migrations (name, executed_at)
    select name, now() from unnest($2::text[]) as names (name) where exists (select 1 from preview)`;
  await client.query(sql, [LAST_PREVIEW_MIGRATION, ['01-tables', '02-lookup-seed']]);
}

async function migrateOwnTables(url: string, log: Log, last?: string): Promise<void> {
  const orm = createOrm(url, { poolSize: 2, log, lockTimeoutMs: LOCK_LIMIT_MS });
  try {
    await orm.migrator.up(last === undefined ? undefined : { to: last });
  } finally {
    await orm.close(true);
  }
}
