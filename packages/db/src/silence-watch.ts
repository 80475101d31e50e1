/**
 * Recognises a Postgres that keeps its connections and answers nothing, because it is frozen or the network drops its
 * packets. A time limit for statements would not do: lists, exports and imports may take many seconds. So a connection
 * that has been in use for long only raises the question, and a new connection asks it. docs/decisions/outages.md
 */
import type { Socket } from 'node:net';
import { Client, DatabaseError, type Pool, type PoolClient } from 'pg';
import { BackgroundWork, systemClock, withDeadline, type Log } from '@parley/runtime';

/** After this long in use, a connection raises the question, milliseconds. A hot request takes 5. */
const SUSPECT_AFTER_MS = 500;
/** For a new connection and its first answer, milliseconds. It takes 15 on an idle machine. */
const PROBE_LIMIT_MS = 700;
const CHECK_EVERY_MS = 100;
/** While Postgres answers and a statement still takes long. */
const PROBE_EVERY_MS = 1_000;
/** Longer than any statement may take: a connection without a byte for this long is dead although Postgres answers. */
const DEAD_AFTER_MS = 35_000;

/** A connection in use, and when its last byte arrived as far as is known. */
interface Held {
  bytes: number;
  /** On the monotonic clock: when its user got it, or later, when more bytes had arrived. */
  sinceMs: number;
}

/** Closes the connections of `pool` that are in use when Postgres is silent, so that their statements fail. */
export function watchSilence(pool: Pool, { url, log }: { url: string; log: Log }): void {
  const held = new Map<PoolClient, Held>();
  const background = new BackgroundWork(log);
  let isWatching = false;

  pool.on('acquire', (client) => {
    held.set(client, { bytes: socketOf(client).bytesRead, sinceMs: systemClock.monotonic() });
    if (!isWatching) checkIn(CHECK_EVERY_MS);
  });
  pool.on('release', (_error, client) => held.delete(client));

  function checkIn(delayMs: number): void {
    isWatching = true;
    systemClock.after(delayMs, () => background.start('ask whether Postgres answers', checkAndRepeat));
  }
  async function checkAndRepeat(): Promise<void> {
    const nextMs = await check();
    isWatching = false;
    if (held.size > 0) checkIn(nextMs);
  }
  /** @returns the time until the next check */
  async function check(): Promise<number> {
    const before = [...held];
    if (!before.some(([client, at]) => silentMs(client, at) >= SUSPECT_AFTER_MS)) return CHECK_EVERY_MS;
    const isSilent = !(await answers(url)) && before.every(([client, at]) => isWithoutAnswer(client, at));
    const dead = before.filter(([client, at]) => isSilent || silentMs(client, at) >= DEAD_AFTER_MS);
    const lost = dead.filter(([client, at]) => held.get(client) === at);
    if (lost.length > 0) log.error({ connections: lost.length }, 'Postgres does not answer');
    for (const [client] of lost) socketOf(client).destroy();
    return isSilent ? CHECK_EVERY_MS : PROBE_EVERY_MS;
  }
  function isWithoutAnswer(client: PoolClient, at: Held): boolean {
    return held.get(client) === at && socketOf(client).bytesRead === at.bytes;
  }
}

/** How long no byte has arrived on a connection in use. */
function silentMs(client: PoolClient, at: Held): number {
  const nowMs = systemClock.monotonic();
  const { bytesRead } = socketOf(client);
  if (bytesRead !== at.bytes) Object.assign(at, { bytes: bytesRead, sinceMs: nowMs });
  return nowMs - at.sinceMs;
}

/** The driver types it as a stream; it is a socket, with or without TLS. */
function socketOf(client: Client | PoolClient): Socket {
  return client.connection.stream as Socket;
}

/** Whether Postgres answers a new connection, be it with an error of its own. */
async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await withDeadline(systemClock, PROBE_LIMIT_MS, connectAndAsk(client));
    return true;
  } catch (error) {
    return error instanceof DatabaseError;
  } finally {
    socketOf(client).destroy();
  }
}

async function connectAndAsk(client: Client): Promise<void> {
  await client.connect();
  await client.query('select 1');
}
