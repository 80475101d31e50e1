/**
 * Detects workers that were killed and releases their jobs and webhooks. The job queue alone keeps the jobs of a dead worker locked
 * for four hours. Each pool of job runners and each webhook dispatcher holds a Postgres session lock on its name. When
 * its process dies, the connection breaks and Postgres releases the lock. Every worker looks for jobs and claims whose
 * holder has no lock.
 *
 * A lock that is free in one check only may belong to a worker that is reconnecting, for example after a restart of
 * Postgres. A pool therefore counts as dead when its lock is free in two consecutive checks, about 1 s after a kill.
 *
 * This requires a direct connection: behind a transaction pooler a session lock proves nothing.
 */
import { once } from 'node:events';
import { releaseClaimsSql } from '@parley/core';
import { pause, type Clock, type Log, type Service } from '@parley/runtime';
import { Client } from 'pg';

export interface PoolLivenessOptions {
  /** Address of the database, not through a pooler. */
  url: string;
  clock: Clock;
  log: Log;
  /** Called after the jobs of dead pools were released. */
  onUnlocked: () => void;
}

const LOOK_INTERVAL_MS = 500;
const RECONNECT_PAUSE_MS = 200;
/** A connection on which a query takes longer is considered broken, milliseconds. */
const QUERY_LIMIT_MS = 5_000;
/** First key of the advisory locks; an arbitrary constant that nothing else uses. */
const LOCK_SPACE = 7_265_002;

/** Postgres detects within 25 s that a host vanished without closing its connections. */
const NOTICE_LOST_HOSTS = `
  set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set application_name = 'parley worker liveness'`;

const LOCK = 'select pg_advisory_lock($1, hashtext($2))';

/**
 * Pools of other processes that have locked jobs or claimed webhooks, and whose lock is free. The lock is held only
 * during this statement.
 */
const FIND_FREE = `
  with holders as (
    select locked_by as name from graphile_worker.jobs where locked_by is not null
    union
    select claimed_by from deliveries where stage = 'sending'
  ), pools as materialized (
    select name from holders where not (name = any($2))
  )
  select name from pools where pg_try_advisory_xact_lock($1, hashtext(name))`;

/** Releases jobs and webhooks, unless the pool has taken its lock again meanwhile. */
const UNLOCK = `
  with dead as materialized (
    select name from unnest($2::text[]) as name where pg_try_advisory_xact_lock($1, hashtext(name))
  ), due_again as (
    ${releaseClaimsSql('select name from dead')}
  )
  select graphile_worker.force_unlock_workers(array(select name from dead))`;

/** One per process; its pools share one connection. */
export class PoolLiveness implements Service {
  readonly #options: PoolLivenessOptions;
  readonly #stopping = new AbortController();
  /** The pools of this process; resolved when the lock was taken for the first time. */
  readonly #held = new Map<string, PromiseWithResolvers<void>>();
  /** Aborted to end the pause between two looks. */
  #wake = new AbortController();
  #watching: Promise<void> | undefined;

  constructor(options: PoolLivenessOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#watching ??= this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
  }

  /** Resolves when the lock of the pool is held, however long that takes, or `signal` is aborted. Run no job before. */
  async hold(poolName: string, signal: AbortSignal): Promise<void> {
    const taken = this.#held.get(poolName) ?? Promise.withResolvers<void>();
    this.#held.set(poolName, taken);
    this.#wake.abort();
    await Promise.race([taken.promise, aborted(signal)]);
  }

  /** The pool was stopped. Its lock ends with the connection. */
  release(poolName: string): void {
    this.#held.delete(poolName);
  }

  async #watch(): Promise<void> {
    const { clock, log } = this.#options;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#watchOnOneConnection();
      } catch (error) {
        log.warn({ err: error }, 'The liveness connection of this worker was lost; reconnecting');
      }
      await pause(clock, RECONNECT_PAUSE_MS, this.#stopping.signal);
    }
  }

  async #watchOnOneConnection(): Promise<void> {
    const client = await connect(this.#options.url);
    try {
      await this.#lookUntilStopped(client);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async #lookUntilStopped(client: Client): Promise<void> {
    const { clock } = this.#options;
    const lockedHere = new Set<string>();
    let suspects: string[] = [];
    let lastLookMs = -Infinity;
    while (!this.#stopping.signal.aborted) {
      await this.#takeLocks(client, lockedHere);
      // A new pool shortens the pause; two checks in quick succession must not count as two.
      if (clock.monotonic() - lastLookMs > LOOK_INTERVAL_MS / 2) {
        suspects = await this.#look(client, suspects);
        lastLookMs = clock.monotonic();
      }
      await this.#pause(LOOK_INTERVAL_MS);
    }
  }

  /** Releases the pools whose lock was also free in the previous check. @returns the suspects for the next check */
  async #look(client: Client, suspects: readonly string[]): Promise<string[]> {
    const { rows } = await client.query<{ name: string }>(FIND_FREE, [LOCK_SPACE, [...this.#held.keys()]]);
    const free = rows.map((row) => row.name);
    const dead = free.filter((name) => suspects.includes(name));
    if (dead.length > 0) await this.#giveBack(client, dead);
    return free;
  }

  /** Takes the locks of new pools, and after a reconnect those of all pools. */
  async #takeLocks(client: Client, lockedHere: Set<string>): Promise<void> {
    this.#wake = new AbortController();
    for (const [name, taken] of this.#held) {
      if (lockedHere.has(name)) continue;
      await client.query(LOCK, [LOCK_SPACE, name]);
      lockedHere.add(name);
      taken.resolve();
    }
  }

  async #pause(durationMs: number): Promise<void> {
    await pause(this.#options.clock, durationMs, AbortSignal.any([this.#stopping.signal, this.#wake.signal]));
  }

  async #giveBack(client: Client, dead: string[]): Promise<void> {
    await client.query(UNLOCK, [LOCK_SPACE, dead]);
    this.#options.log.warn({ pools: dead }, 'A worker has died; its jobs were released');
    this.#options.onUnlocked();
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: QUERY_LIMIT_MS,
    query_timeout: QUERY_LIMIT_MS,
  });
  // Without this listener a broken connection would crash the process. The next query fails and is handled.
  client.on('error', () => {});
  await client.connect();
  await client.query(NOTICE_LOST_HOSTS);
  return client;
}
