/**
 * The Postgres of `bench:campaign`, with a template database: each part of the benchmark gets a clone of it, so that the
 * data of one part does not slow the next.
 */
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

/** The Postgres; `leave` stops it. */
export interface CampaignSite {
  postgresPid: number;
  /** The first user of every clone, and a token. */
  userId: number;
  token: string;
  /** @returns the address of a new clone */
  cloneDatabase(): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  leave(): Promise<void>;
}

/** Enough connections for the processes of several parts. */
const MAX_CONNECTIONS = 200;
const TEMPLATE = 'bench_template';

/** Creates everything; after a failure nothing is left. */
export async function openCampaignSite(): Promise<CampaignSite> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-campaign-'));
  const leaving: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const leave = async (): Promise<void> => {
    for (const step of leaving.splice(0).toReversed()) await step();
  };
  try {
    const dataDir = join(folder, 'postgres');
    const options = { dataDir, fsync: false, maxConnections: MAX_CONNECTIONS, log: silentLog };
    const postgres = await startEmbeddedPostgres(options);
    leaving.push(() => postgres.stop());
    const admin = new Client({ connectionString: postgres.url });
    await admin.connect();
    leaving.push(() => admin.end());
    await admin.query(`create database ${TEMPLATE}`);
    const user = await install(databaseUrl(postgres.url, TEMPLATE));
    return { postgresPid: postgres.pid, ...user, ...cloning(admin, postgres.url), leave };
  } catch (error) {
    await leave();
    throw error;
  }
}

async function install(url: string): Promise<Pick<CampaignSite, 'userId' | 'token'>> {
  await migrate(url);
  const core = openCore(url, 2);
  try {
    const { user, token = '' } = await bootstrapFirstUser(core);
    return { userId: user.id, token };
  } finally {
    await core.db.close();
  }
}

function cloning(admin: Client, url: string): Pick<CampaignSite, 'cloneDatabase' | 'dropDatabase'> {
  let clones = 0;
  return {
    async cloneDatabase() {
      const name = `bench_${++clones}`;
      await admin.query(`create database ${name} template ${TEMPLATE}`);
      return databaseUrl(url, name);
    },
    async dropDatabase(clone) {
      await admin.query(`drop database ${new URL(clone).pathname.slice(1)} with (force)`);
    },
  };
}

function databaseUrl(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** The use cases on a database of the site. */
export function openCore(url: string, poolSize: number): CoreContext {
  return createCoreContext({
    db: openDatabase({ url, log: silentLog, poolSize }),
    log: silentLog,
    clock: systemClock,
    secretKey: SECRETS.SECRET_KEY,
    recordings: diskStorage('/nonexistent'),
  });
}
