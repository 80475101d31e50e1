/**
 * R50: the migrations from number 10 on run on tables of a million leads and calls while clients read and write. No
 * statement of the clients fails, and none waits longer than 200 ms for a lock.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@parley/db';
import { startEmbeddedPostgres } from '@parley/db/embedded';
import { pause, silentLog, systemClock } from '@parley/runtime';
import { Client } from 'pg';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import { insertMadeUpRows } from './made-up-rows.ts';

/** R50. */
export const migrations: Check = { id: 'R50', what: 'migrations of large tables under load', run };

/** The last migration that is older than the rule, and stops writes (docs/decisions/migrations-under-load.md). */
const LAST_EXCEPTION = '09-count-calls-by-outcome';
const LONGEST_WAIT_MS = 200;
const CONTROL_MS = 2 * LONGEST_WAIT_MS;
const LOOK_MS = 10;
/** Clients that read and write all the time; each pauses as long as its statement took. */
const CLIENTS = 3;
const STATEMENTS = [
  'select id, status from calls where user_id = 1 order by created_at desc, id desc limit 20',
  `update leads set variables = '{"a": 1}' where id = (select 1 + floor(random() * 1000)::bigint)`,
  `update calls set transcript = 'changed' where id = (select 1 + floor(random() * 1000)::bigint)`,
  'select count(*) from (select id from leads where campaign_id = 1 limit 100) first_leads',
];
/** The time that each backend of the clients has been waiting for a lock. */
const WAITING = `
  select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart)), 0)::float8 * 1000 as ms
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where not l.granted and a.application_name = 'chaos-client'`;

async function run(options: CheckOptions): Promise<CheckResult> {
  const rows = options.isFull ? 1_000_000 : 20_000;
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: silentLog });
  try {
    await migrate(postgres.url, silentLog, LAST_EXCEPTION);
    await fill(postgres.url, rows);
    options.say(`${rows} leads and as many calls are stored`);
    const load = await startLoad(postgres.url);
    const startedMs = systemClock.monotonic();
    await migrate(postgres.url);
    const tookMs = systemClock.monotonic() - startedMs;
    const { waitedMs, statements, failures } = await load.stop();
    const controlMs = await blockedClient(postgres.url);
    const run = await countMigrations(postgres.url);
    return {
      counts: {
        rows,
        migrations: run,
        seconds: tookMs / 1000,
        statements,
        failed: failures.length,
        'longest wait for a lock, ms': waitedMs,
      },
      faults: [
        ...failures.slice(0, 3),
        ...(waitedMs > LONGEST_WAIT_MS ? [`a client waited ${Math.round(waitedMs)} ms for a lock`] : []),
        ...(statements === 0 ? ['the clients did nothing meanwhile'] : []),
      ],
      controls: { 'a lock that is held': controlMs > LONGEST_WAIT_MS },
    };
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function connect(url: string, name: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: name });
  await client.connect();
  return client;
}

async function fill(url: string, rows: number): Promise<void> {
  const client = await connect(url, 'chaos-fill');
  const mine = { user_id: '1', campaign_id: '1' };
  const number = `'+1' || (2000000000 + n)`;
  try {
    await client.query('set session_replication_role = replica');
    await insertMadeUpRows(client, 'leads', rows, {
      ...mine,
      phone_number: number,
      status: `'created'`,
      dial_state: `'waiting'`,
    });
    await insertMadeUpRows(client, 'calls', rows, {
      ...mine,
      status: `'completed'`,
      client_phone_number: number,
      type: `'outbound'`,
    });
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

interface Load {
  stop(): Promise<{ waitedMs: number; statements: number; failures: string[] }>;
}

async function startLoad(url: string): Promise<Load> {
  const failures: string[] = [];
  const stopped = new AbortController();
  let statements = 0;
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connect(url, 'chaos-client')));
  const work = async (client: Client): Promise<void> => {
    while (!stopped.signal.aborted) {
      const startMs = systemClock.monotonic();
      await client
        .query(STATEMENTS[statements++ % STATEMENTS.length] ?? '')
        .catch((error: Error) => failures.push(error.message));
      await pause(systemClock, systemClock.monotonic() - startMs);
    }
    await client.end();
  };
  const watch = await watchWaits(url);
  const all = Promise.all(clients.map(work));
  return {
    async stop() {
      stopped.abort();
      await all;
      return { waitedMs: await watch.stop(), statements, failures };
    },
  };
}

/** Looks at the locks all the time, from a connection that uses no table of ours. */
async function watchWaits(url: string): Promise<{ stop(): Promise<number> }> {
  const client = await connect(url, 'chaos-watch');
  const stopped = new AbortController();
  let longestMs = 0;
  const look = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const { rows } = await client.query<{ ms: number }>(WAITING);
      longestMs = Math.max(longestMs, rows[0]?.ms ?? 0);
      await pause(systemClock, LOOK_MS);
    }
    await client.end();
  };
  const all = look();
  return {
    async stop() {
      stopped.abort();
      await all;
      return longestMs;
    },
  };
}

/** Negative control: a lock that is held for twice the limit. @returns the longest wait that was seen */
async function blockedClient(url: string): Promise<number> {
  const holder = await connect(url, 'chaos-holder');
  const load = await startLoad(url);
  try {
    await holder.query('begin');
    await holder.query('lock table leads in access exclusive mode');
    await pause(systemClock, CONTROL_MS);
    await holder.query('rollback');
    return (await load.stop()).waitedMs;
  } finally {
    await holder.end();
  }
}

async function countMigrations(url: string): Promise<number> {
  const client = await connect(url, 'chaos-count');
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from mikro_orm_migrations where name > $1',
    [LAST_EXCEPTION],
  );
  await client.end();
  return rows[0]?.count ?? 0;
}
