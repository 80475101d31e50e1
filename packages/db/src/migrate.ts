/**
 * Migrates a database to the newest schema: our migrations, those of the job queue, and the partitions of the next months.
 * Several processes may do this at once; a session lock serialises them.
 */
import { Client } from 'pg';
import { runMigrations } from 'graphile-worker';
import { silentLog, type Log } from '@parley/runtime';
import { createOrm } from './orm.ts';

const MONTHS_AHEAD = 3;
/** Any constant that is not locked elsewhere. */
const MIGRATION_LOCK = 7_265_001;

/** Workers read the locked jobs twice a second (pool-liveness.ts); without this index they would scan the whole queue. */
const LOCKED_JOBS_INDEX = `create index if not exists parley_locked_jobs
  on graphile_worker._private_jobs (locked_by) where locked_by is not null`;

/**
 * Safe to repeat and to run in several processes at once.
 *
 * @param url - a direct connection; a session lock does not survive a transaction pooler
 */
export async function migrate(url: string, log: Log = silentLog): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await adoptPreviewSchema(client);
    await migrateOwnTables(url, log);
    await runMigrations({ connectionString: url });
    await client.query(LOCKED_JOBS_INDEX);
    await client.query('select parley_ensure_call_partitions($1)', [MONTHS_AHEAD]);
  } finally {
    await client.end();
  }
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

async function migrateOwnTables(url: string, log: Log): Promise<void> {
  const orm = createOrm(url, { poolSize: 2, log });
  try {
    await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
}
