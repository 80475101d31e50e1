/**
 * The environment of one part of `bench:campaign`: its own database with an installation, and a webhook receiver. It
 * records the settings of each campaign for the oracle (campaign-judge.ts).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CampaignFact } from '@parley/chaos';
import type { CoreContext } from '@parley/core';
import { systemClock } from '@parley/runtime';
import { Pool, types } from 'pg';
import { openCore, type CampaignSite } from './campaign-site.ts';

/** The environment; `leave` removes it. */
export interface CampaignTestbed {
  databaseUrl: string;
  postgresPid: number;
  /** Connections of the benchmark itself. */
  sql: Pool;
  core: CoreContext;
  userId: number;
  /** A token of the same user. */
  token: string;
  /** An outbound assistant that reports all calls to `receiver`. */
  assistantId: number;
  receiver: HookReceiver;
  /** Campaigns by id: the limit, and the time between start and stop. */
  campaigns: Map<number, CampaignFact>;
  leave(): Promise<void>;
}

/** Accepts every webhook and answers immediately. */
interface HookReceiver {
  url: string;
  /** Time of the first arrival by call id, wall clock in milliseconds. */
  arrivals: Map<number, number>;
}

/** Pool size of the benchmark itself. */
export const POOL_SIZE = 16;

/** Creates the environment; after a failure nothing is left. */
export async function openCampaignTestbed(site: CampaignSite): Promise<CampaignTestbed> {
  const databaseUrl = await site.cloneDatabase();
  const leaving: (() => Promise<unknown>)[] = [() => site.dropDatabase(databaseUrl)];
  const leave = async (): Promise<void> => {
    for (const step of leaving.splice(0).toReversed()) await step();
  };
  try {
    const sql = openSql(databaseUrl);
    leaving.push(() => sql.end());
    const core = openCore(databaseUrl, POOL_SIZE);
    leaving.push(() => core.db.close());
    // The simulated voice processes accept any number.
    await sql.query(`update trunks set reach = 'any'`);
    const receiver = await startHookReceiver(leaving);
    const { postgresPid, userId, token } = site;
    const assistantId = await reportTo(sql, userId, receiver.url);
    const about = { sql, core, userId, token, assistantId, receiver, campaigns: new Map() };
    return { databaseUrl, postgresPid, ...about, leave };
  } catch (error) {
    await leave();
    throw error;
  }
}

function openSql(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: 4,
    // Ids and counts are far below 2^53.
    types: {
      getTypeParser: (id, format) => (id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)),
    },
  });
  // A connection may report the end of its Postgres after it was released.
  pool.on('error', () => {});
  return pool;
}

async function startHookReceiver(leaving: (() => Promise<unknown>)[]): Promise<HookReceiver> {
  const arrivals = new Map<number, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number };
      if (!arrivals.has(id)) arrivals.set(id, systemClock.now());
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  leaving.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, arrivals };
}

/** The first outbound assistant reports every call. */
async function reportTo(sql: Pool, userId: number, url: string): Promise<number> {
  const { rows } = await sql.query<{ id: number }>(
    `update assistants set is_webhook_active = true, webhook_url = $2, is_webhook_only_on_completed = false,
       is_recorded = false
     where id = (select min(id) from assistants where user_id = $1 and type = 'outbound') returning id`,
    [userId, url],
  );
  const [assistant] = rows;
  if (!assistant) throw new Error('A fresh installation has no outbound assistant');
  return assistant.id;
}
