/** A fresh installation for a benchmark: a separate, migrated Postgres and a first user. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrapFirstUser, createCoreContext, diskStorage, type CoreContext } from '@parley/core';
import { migrate, openDatabase } from '@parley/db';
import { startEmbeddedPostgres } from '@parley/db/embedded';
import { silentLog, systemClock } from '@parley/runtime';
import { Client } from 'pg';

/** The settings of the processes besides the address of the database. */
export const SECRETS = {
  SECRET_KEY: 'a secret key that only the benchmark knows',
  INTERNAL_SECRET: 'an internal secret that only the benchmark knows',
};

/** The installation, until it is left. */
export interface Installation {
  databaseUrl: string;
  folder: string;
  /** A connection of the benchmark. */
  sql: Client;
  /** The use cases, on another one. */
  core: CoreContext;
  userId: number;
  token: string;
  /** The clean-up steps, which run in reverse order. */
  leaving: (() => Promise<unknown>)[];
  leave: () => Promise<void>;
}

/** @param name - of the temporary folder; on failure nothing stays behind */
export async function openInstallation(name: string): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), name));
  const leaving: Installation['leaving'] = [() => rm(folder, { recursive: true, force: true })];
  const leave = async (): Promise<void> => {
    for (const step of leaving.splice(0).toReversed()) await step();
  };
  try {
    const dataDir = join(folder, 'postgres');
    const postgres = await startEmbeddedPostgres({ dataDir, fsync: false, log: silentLog });
    leaving.push(() => postgres.stop());
    await migrate(postgres.url);
    const sql = new Client({ connectionString: postgres.url });
    await sql.connect();
    leaving.push(() => sql.end());
    const core = openCore(postgres.url, folder);
    leaving.push(() => core.db.close());
    const { user, token = '' } = await bootstrapFirstUser(core);
    return { databaseUrl: postgres.url, folder, sql, core, userId: user.id, token, leaving, leave };
  } catch (error) {
    await leave();
    throw error;
  }
}

function openCore(url: string, folder: string): CoreContext {
  return createCoreContext({
    db: openDatabase({ url, log: silentLog, poolSize: 2 }),
    log: silentLog,
    clock: systemClock,
    secretKey: SECRETS.SECRET_KEY,
    recordings: diskStorage(folder),
  });
}
