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

/** The connection of this process to each server, as superuser. A new one takes Postgres 35 ms of processor time. */
const connections = new Map<string, Promise<Client>>();

/** Runs one statement as superuser. Not in parallel: statements of a process wait for each other. */
export async function runSql(url: string, statement: string): Promise<void> {
  const connection = connections.get(url) ?? connect(url);
  connections.set(url, connection);
  await (await connection).query(statement);
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // Without this listener, the end of the server would crash the process. The next statement reports the error.
  client.on('error', () => connections.delete(url));
  await client.connect();
  // The connection does not keep the process running.
  client.unref();
  return client;
}
