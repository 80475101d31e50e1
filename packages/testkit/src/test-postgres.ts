/**
 * A Postgres for tests and benchmarks, fast instead of safe, with a migrated template database that is cloned in some
 * 30 ms.
 */
import { join } from 'node:path';
import { migrate } from '@parley/db';
import { startEmbeddedPostgres } from '@parley/db/embedded';
import { silentLog } from '@parley/runtime';
import { Client } from 'pg';

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

/** Runs one statement on a separate connection. */
export async function runSql(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
