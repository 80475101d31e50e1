/**
 * Databases that the test files of a process use in turn. Each is emptied before its next use, and its connections stay
 * open: a new connection takes Postgres 22 ms, and it reads the catalogue and plans every statement once more. On the
 * reference machine, 46 test files of core took 43 s of processor time this way and 57 s with a new database each.
 * Prepared statements stay too, so that tests do not name theirs.
 */
import { openDatabase, type Db } from '@parley/db';
import { silentLog } from '@parley/runtime';
import { Pool } from 'pg';

/** The `application_name` of connections that stay open between two uses; all others are ended. */
const KEPT_CONNECTIONS = 'kept';

/** How many objects the schema has. It must not change, because rows alone are restored. */
const SHAPE = `concat_ws(' ', (select count(*) from pg_class), (select count(*) from pg_attribute),
  (select count(*) from pg_proc), (select count(*) from pg_trigger))`;

/** From this size on a table is truncated, with all that refer to it. */
const LARGE_BYTES = 262_144;

const TABLES = `select format('%I.%I', nspname, relname) as name, pg_class.oid
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema', 'initial')`;

/** Copies the rows that migrations have written, and the state of the sequences, into the schema `initial`. */
const REMEMBER = `
  do $$
  declare
    t record;
    has_rows boolean;
  begin
    create schema initial;
    create table initial.sequences as
      select format('%I.%I', schemaname, sequencename)::regclass as sequence, start_value, last_value from pg_sequences;
    create table initial.tables (name text, copy text, columns text);
    for t in ${TABLES} loop
      execute format('select exists (select from %s)', t.name) into has_rows;
      if has_rows then
        execute format('create table initial.rows_%s as select * from %s', t.oid, t.name);
        insert into initial.tables
          select t.name, format('initial.rows_%s', t.oid), string_agg(quote_ident(attname), ', ')
          from pg_attribute where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = '';
      end if;
    end loop;
    create table initial.shape (shape text);
    insert into initial.shape select ${SHAPE};
  end $$`;

/** Restores what {@link REMEMBER} has copied, and removes all other rows. Triggers and foreign keys do not act meanwhile. */
const RESTORE = `
  do $$
  declare
    t record;
  begin
    set local lock_timeout = '5s';
    set local session_replication_role = replica;
    if (select shape from initial.shape) <> (select ${SHAPE}) then
      raise exception 'The test has changed the schema.';
    end if;
    for t in ${TABLES} and pg_relation_size(pg_class.oid) > 0 loop
      -- Faster where there are few rows; many would stay in the files, and later statements would read past them.
      if pg_relation_size(t.oid) < ${LARGE_BYTES} then
        execute 'delete from ' || t.name;
      else
        execute format('truncate %s cascade', t.name);
      end if;
    end loop;
    for t in select * from initial.tables loop
      execute format('insert into %s (%s) overriding system value select %s from %s', t.name, t.columns, t.columns, t.copy);
    end loop;
    perform setval(sequence, coalesce(last_value, start_value), last_value is not null) from initial.sequences;
  end $$`;

const OTHER_CONNECTIONS = `from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
    and application_name <> '${KEPT_CONNECTIONS}'`;
/**
 * `pool.end()` resolves before the server has closed the connections. One that is terminated meanwhile throws in the process of
 * the test, so they get 200 ms.
 */
const END_OTHER_CONNECTIONS = `do $$ begin
    for attempt in 1..20 loop
      exit when not exists (select ${OTHER_CONNECTIONS});
      perform pg_sleep(0.01), pg_stat_clear_snapshot();
    end loop;
    perform pg_terminate_backend(pid, 5000) ${OTHER_CONNECTIONS};
  end $$`;

/** A database that is migrated and empty when it is taken. */
export interface ReusedDatabase {
  /** For processes that connect themselves. */
  url: string;
  db: Db;
  /** Ends the use of `db`, and resolves when nothing of it runs any more. */
  takeBack: () => Promise<void>;
  kept: KeptDatabase;
}

interface KeptDatabase {
  url: string;
  db: Db;
  /** The connection that empties it. */
  keeper: Pool;
}

/** Where databases come from, and how one is removed that cannot be used again. */
export interface DatabaseSource {
  /** @returns the address of a new database */
  create: () => Promise<string>;
  drop: (url: string) => Promise<void>;
}

const free: KeptDatabase[] = [];

/** A migrated, empty database of this process. Call {@link giveBack} when the test is done with it. */
export async function takeDatabase(source: DatabaseSource): Promise<ReusedDatabase> {
  const kept = free.pop() ?? (await createDatabase(source));
  return { url: kept.url, kept, ...lend(kept.db) };
}

/** What a test file has left running must not write to the database of the next one. */
function lend(own: Db): Pick<ReusedDatabase, 'db' | 'takeBack'> {
  const running = new Set<Promise<unknown>>();
  let isLent = true;
  const requireLent = (): void => {
    if (!isLent) throw new Error('This database is used by another test file now.');
  };
  const run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    requireLent();
    const result = work();
    running.add(result);
    try {
      return await result;
    } finally {
      running.delete(result);
    }
  };
  const db: Db = {
    directUrl: own.directUrl,
    get em() {
      requireLent();
      return own.em;
    },
    query: (sql, values) => run(() => own.query(sql, values)),
    transaction: (work) => run(() => own.transaction(work)),
    ping: () => run(() => own.ping()),
    close: async () => {
      isLent = false;
    },
  };
  const takeBack = async (): Promise<void> => {
    isLent = false;
    await Promise.allSettled(running);
  };
  return { db, takeBack };
}

async function createDatabase({ create }: DatabaseSource): Promise<KeptDatabase> {
  const url = await create();
  const keptUrl = `${url}?application_name=${KEPT_CONNECTIONS}`;
  const keeper = new Pool({ connectionString: keptUrl, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // Without this listener, the end of the server would crash the process. The next statement reports the error.
  keeper.on('error', () => undefined);
  await keeper.query(REMEMBER);
  return { url, keeper, db: openDatabase({ url: keptUrl, directUrl: url, log: silentLog, poolSize: 5 }) };
}

/** Empties the database for its next use, or drops it: a test may have changed its schema or still hold locks. */
export async function giveBack({ kept, takeBack }: ReusedDatabase, { drop }: DatabaseSource): Promise<void> {
  try {
    await takeBack();
    await kept.keeper.query(END_OTHER_CONNECTIONS);
    await kept.keeper.query(RESTORE);
    free.push(kept);
  } catch {
    await Promise.all([kept.keeper.end(), kept.db.close()]);
    await drop(kept.url);
  }
}
