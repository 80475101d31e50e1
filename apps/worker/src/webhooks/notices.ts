/**
 * Listens for Postgres notifications about webhooks to deliver. Notifications are lost while there is no connection, so
 * each new connection counts as one. This requires a direct connection: LISTEN does not work behind a transaction pooler.
 */
import { once } from 'node:events';
import { WEBHOOK_CHANNEL } from '@parley/core';
import { pause, type Clock, type Log, type Service } from '@parley/runtime';
import { Client } from 'pg';

export interface NoticesOptions {
  /** Address of the database, not through a pooler. */
  url: string;
  clock: Clock;
  log: Log;
  /** There may be something to deliver. */
  onNotice: () => void;
}

const RECONNECT_PAUSE_MS = 500;
const CONNECT_LIMIT_MS = 5_000;

export function listenForWebhooks({ url, clock, log, onNotice }: NoticesOptions): Service {
  const stopping = new AbortController();
  let listening: Promise<void> | undefined;

  async function listenOnce(): Promise<void> {
    const client = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
    });
    const broken = new Promise<void>((resolve) => client.once('error', () => resolve()));
    client.on('notification', onNotice);
    try {
      await client.connect();
      await client.query(`set application_name = 'parley worker webhooks'; listen ${WEBHOOK_CHANNEL}`);
      onNotice();
      await Promise.race([broken, aborted(stopping.signal)]);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function keepListening(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listenOnce().catch((error: unknown) =>
        log.warn({ err: error }, 'The connection for webhook notifications failed; reconnecting'),
      );
      await pause(clock, RECONNECT_PAUSE_MS, stopping.signal);
    }
  }

  return {
    async start() {
      listening ??= keepListening();
    },
    async stop() {
      stopping.abort();
      await listening;
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
