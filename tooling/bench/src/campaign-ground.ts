/**
 * What `bench:campaign` stands on: a Postgres of its own, an installation in it, a webhook receiver, and as many real
 * workers and voice doubles as a measurement asks for.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrapFirstUser, createCoreContext, diskStorage, type CoreContext } from '@parley/core';
import { migrate, openDatabase } from '@parley/db';
import { startEmbeddedPostgres } from '@parley/db/embedded';
import { freePorts } from '@parley/e2e';
import { pause, silentLog, systemClock } from '@parley/runtime';
import { Pool, types } from 'pg';
import { startMeasured, type MeasuredProcess } from './measured-process.ts';

/** The ground, until it is left. */
export interface CampaignGround {
  databaseUrl: string;
  postgresPid: number;
  /** Connections of the benchmark's own. */
  sql: Pool;
  core: CoreContext;
  userId: number;
  /** An outbound assistant whose calls are all told to `receiver`. */
  assistantId: number;
  receiver: HookReceiver;
  leave(): Promise<void>;
}

/** Takes every webhook and answers at once. */
interface HookReceiver {
  url: string;
  /** Wall clock of the arrivals by the call they tell of, milliseconds; the first one counts. */
  arrivals: Map<number, number>;
}

/** Connections of the benchmark's own core. */
export const POOL_SIZE = 16;

const SECRETS = {
  SECRET_KEY: 'a secret key that only the benchmark knows',
  INTERNAL_SECRET: 'an internal secret that only the benchmark knows',
};

/** Makes everything; on failure nothing stays behind. */
export async function enterCampaignGround(): Promise<CampaignGround> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-campaign-'));
  const leaving: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const leave = async (): Promise<void> => {
    for (const step of leaving.splice(0).toReversed()) await step();
  };
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir: join(folder, 'postgres'),
      fsync: false,
      maxConnections: 200,
      log: silentLog,
    });
    leaving.push(() => postgres.stop());
    await migrate(postgres.url);
    const sql = openSql(postgres.url);
    leaving.push(() => sql.end());
    const db = openDatabase({ url: postgres.url, log: silentLog, poolSize: POOL_SIZE });
    leaving.push(() => db.close());
    const core = createCoreContext({
      db,
      log: silentLog,
      clock: systemClock,
      secretKey: SECRETS.SECRET_KEY,
      recordings: diskStorage(folder),
      allowPrivateWebhooks: 'loopback',
    });
    const { user } = await bootstrapFirstUser(core);
    // The voice doubles carry calls to any number.
    await sql.query(`update trunks set reach = 'any'`);
    const receiver = await startHookReceiver(leaving);
    const assistantId = await reportTo(sql, user.id, receiver.url);
    const about = { sql, core, userId: user.id, assistantId, receiver };
    return { databaseUrl: postgres.url, postgresPid: postgres.pid, ...about, leave };
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
  // A connection may still hear of the end of its Postgres after it was let go.
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

/** The first outbound assistant tells of every call. */
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

/** A real worker; resolves when it runs jobs. */
export async function startWorker(
  ground: CampaignGround,
  environment: Record<string, string> = {},
): Promise<MeasuredProcess> {
  const [port = 0] = await freePorts(1);
  const worker = startMeasured('apps/worker/src/main.ts', {
    ...SECRETS,
    DATABASE_URL: ground.databaseUrl,
    WORKER_PORT: String(port),
    WEBHOOK_ALLOW_PRIVATE: 'loopback',
    ...environment,
  });
  await untilAnswers(`http://127.0.0.1:${port}/readyz`);
  return worker;
}

/** How a voice double behaves. */
export interface VoiceDouble {
  capacity: number;
  /** How long the calls last, milliseconds. */
  talkMs: { first: number; last: number };
}

/** A voice double; resolves when calls may be handed over. */
export async function startVoiceDouble(
  ground: CampaignGround,
  { capacity, talkMs }: VoiceDouble,
): Promise<MeasuredProcess> {
  const [port = 0] = await freePorts(1);
  const voice = startMeasured('tooling/bench/src/campaign-voice.ts', {
    ...SECRETS,
    DATABASE_URL: ground.databaseUrl,
    VOICE_PORT: String(port),
    VOICE_CAPACITY: String(capacity),
    TALK_FROM_MS: String(talkMs.first),
    TALK_UNTIL_MS: String(talkMs.last),
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const { rows } = await ground.sql.query('select 1 from voice_processes where url = $1', [url]);
    if (rows.length > 0) return voice;
    await pause(systemClock, 50);
  }
}

const READY_LIMIT_MS = 120_000;

async function untilAnswers(url: string): Promise<void> {
  const limitMs = systemClock.monotonic() + READY_LIMIT_MS;
  for (;;) {
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    if (systemClock.monotonic() > limitMs) throw new Error(`${url} did not become ready`);
    await pause(systemClock, 50);
  }
}
