/**
 * A Postgres for tests and benchmarks, fast instead of safe, with a migrated template database that is cloned in some
 * 30 ms.
 */
import { join } from 'node:path';
import { migrate } from '@parley/db';
import { startEmbeddedPostgres } from '@parley/db/embedded';
import { silentLog } from '@parley/runtime';
import { Pool } from 'pg';

/** The template database. Cloning requires that no connection to it is open. */
export const TEMPLATE = 'parley_template';

export interface TestPostgres {
  /** As superuser, database `postgres`. */
  url: string;
  stop(): Promise<void>;
}

/** @param folder - an existing folder of the run, below which the data are stored */
export async function startTestPostgres(folder: string): Promise<TestPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    fsync: false,
    maxConnections: 300,
    log: silentLog,
  });
  await runSql(postgres.url, `create database ${TEMPLATE}`);
  await migrate(databaseUrl(postgres.url, TEMPLATE));
  return { url: postgres.url, stop: () => postgres.stop() };
}

/** The address of another database of the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** One connection of this process to each server, as superuser. A new one takes Postgres 35 ms of processor time. */
const connections = new Map<string, Pool>();

/** Runs one statement as superuser, after those before it. */
export async function runSql(url: string, statement: string): Promise<void> {
  const connection = connections.get(url) ?? connect(url);
  connections.set(url, connection);
  await connection.query(statement);
}

/** It does not keep the process running. */
function connect(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // Without this listener, the end of the server would crash the process. The next statement reports the error.
  pool.on('error', () => undefined);
  return pool;
}
