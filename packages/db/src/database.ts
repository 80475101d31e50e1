/**
 * A process's connections to Postgres, used in two ways: `tx.em` reads and writes administrative data through MikroORM,
 * `tx.query` runs SQL where locks, measurements or the number of rows require it. Both share one transaction; see
 * docs/decisions/one-transaction.md.
 */
import { Pool, type ClientBase } from 'pg';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Log } from '@parley/runtime';
import { createOrmOn } from './orm.ts';
import { isSerializationFailure } from './sql-errors.ts';
import { openTransaction } from './open-transaction.ts';
import { watchSilence } from './silence-watch.ts';
import { typeParsers } from './sql-values.ts';
import { runStatement } from './statement.ts';
import type { Transaction, Tx } from './transaction.ts';

/** How to reach Postgres. */
export interface DatabaseOptions {
  /** `postgres://…`; may refer to a pooler that supports prepared statements (pgbouncer 1.21 or newer). */
  url: string;
  /** A direct connection without a pooler, for LISTEN and session locks. Default: `url`. */
  directUrl?: string | undefined;
  log: Log;
  /** Maximum number of connections, for SQL statements and the ORM together. Default 10. */
  poolSize?: number;
  /**
   * For a process that answers requests: what Postgres cannot do now fails within 2 seconds, also where Postgres is frozen.
   * Statements that merely take long continue. Other processes rather wait. Default false.
   */
  isFailingFast?: boolean;
}

/** The database of a process. */
export interface Db extends Tx {
  /** For LISTEN and session locks, which the job queue requires. */
  readonly directUrl: string;
  /**
   * Runs `work` in one transaction (READ COMMITTED): committed when it resolves, rolled back when it rejects. After a
   * deadlock it is retried, so `work` may run more than once and must have no effects outside the database.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Rejects when Postgres does not answer. */
  ping(): Promise<void>;
  /** May be called twice. */
  close(): Promise<void>;
}

const DEFAULT_POOL_SIZE = 10;
/** To get a connection, whether all are in use or a new one is made. */
const CONNECT_LIMIT_MS = 10_000;
const FAST_CONNECT_LIMIT_MS = 1_300;
/** Attempts of a transaction that fails by deadlock. */
const TRANSACTION_TRIES = 4;

/** An old snapshot slows all queries, because dead index entries stay, so no transaction may idle. */
const SESSION_LIMITS = `set statement_timeout = '30s'; set lock_timeout = '15s'; set idle_in_transaction_session_timeout = '30s'`;
/** JIT compilation only pays for queries that take seconds; here the planner overestimates their cost. */
const NO_COMPILING = 'set jit = off';
/**
 * Each statement is planned once per connection and not for each set of values: statements find few rows by index, and
 * planning over the monthly partitions of calls costs more than execution. SQL functions override this setting where the
 * plan depends on the values.
 */
const PLAN_ONCE = 'set plan_cache_mode = force_generic_plan';
const SESSION_SETTINGS = [SESSION_LIMITS, NO_COMPILING, PLAN_ONCE].join('; ');

/** Opens a database. It connects at the first query. */
export function openDatabase(options: DatabaseOptions): Db {
  const pool = createPool(options);
  let orm: MikroORM | undefined;
  let closing: Promise<void> | undefined;
  const openOrm = () => (orm ??= createOrmOn(pool, options));

  async function close(): Promise<void> {
    await Promise.all([pool.end(), orm?.close(true)]);
  }

  return {
    directUrl: options.directUrl ?? options.url,
    query: (sql, values = []) => runStatement(pool, sql, values),
    get em() {
      return openOrm().em.fork();
    },
    transaction: (work) => withRetries(() => inTransaction({ pool, openOrm }, work)),
    ping: async () => {
      await pool.query('select 1');
    },
    close: () => (closing ??= close()),
  };
}

function createPool(options: DatabaseOptions): Pool {
  const { isFailingFast = false } = options;
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSize ?? DEFAULT_POOL_SIZE,
    connectionTimeoutMillis: isFailingFast ? FAST_CONNECT_LIMIT_MS : CONNECT_LIMIT_MS,
    keepAlive: true,
    allowExitOnIdle: true,
    onConnect: setSession,
    // Of statements and of the ORM alike.
    types: typeParsers,
    // Statements are pipelined: one is sent before the previous one has returned, unless the caller awaits it.
    pipeline: true,
  });
  // An idle connection that breaks is replaced by the pool; without a listener the process would end.
  pool.on('error', (error) => options.log.warn({ err: error }, 'A database connection was lost'));
  // Without this listener, a connection that is lost between two statements would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (isFailingFast) watchSilence(pool, options);
  return pool;
}

// The pool awaits this hook, although its types declare no promise.
const setSession = (async (client: ClientBase) => {
  await client.query(SESSION_SETTINGS);
}) as (client: ClientBase) => void;

interface Means {
  pool: Pool;
  openOrm: () => MikroORM;
}

async function inTransaction<Result>(
  { pool, openOrm }: Means,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const { tx, ...open } = openTransaction(client, openOrm);
  let fault: Error | undefined;
  let result: Result;
  try {
    // Sent together with the first statement.
    [, result] = await Promise.all([client.query('begin'), tx.join(work)]);
    open.end();
    await client.query('commit');
  } catch (error) {
    open.end();
    // A connection that cannot roll back is closed, which ends its transaction.
    await client.query('rollback').catch((failure: unknown) => {
      fault = failure instanceof Error ? failure : new Error('The rollback failed');
    });
    throw error;
  } finally {
    client.release(fault);
  }
  for (const step of open.afterwards) await step();
  return result;
}

async function withRetries<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let triesLeft = TRANSACTION_TRIES - 1; ; triesLeft--) {
    try {
      return await run();
    } catch (error) {
      if (triesLeft === 0 || !isSerializationFailure(error)) throw error;
    }
  }
}
