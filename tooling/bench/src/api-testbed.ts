/** The test bed of `bench:api`: a separate Postgres, a fresh installation, and the real api process. */
import { freePorts } from '@parley/e2e';
import { pause, systemClock } from '@parley/runtime';
import type { Client } from 'pg';
import { createLoadClient, type LoadClient } from './http-load.ts';
import { openInstallation, SECRETS, type Installation } from './installation.ts';
import { startMeasured, type MeasuredProcess } from './measured-process.ts';

/** The test bed; `leave` removes it. */
export interface Testbed {
  databaseUrl: string;
  /** A connection of the benchmark. */
  sql: Client;
  userId: number;
  /** An outbound assistant of the user. */
  assistantId: number;
  /** A campaign of the user without leads. */
  campaignId: number;
  token: string;
  api: MeasuredProcess;
  client: LoadClient;
  leave(): Promise<void>;
}

/** Pool size of the api and of the server that it is compared with. */
export const POOL_SIZE = 10;

const READY_LIMIT_MS = 120_000;

/** Creates the test bed and removes it after a failure. */
export async function openTestbed(): Promise<Testbed> {
  const installation = await openInstallation('parley-bench-api-');
  try {
    return await startApi(installation);
  } catch (error) {
    await installation.leave();
    throw error;
  }
}

async function startApi({
  databaseUrl,
  folder,
  sql,
  userId,
  token,
  leaving,
  leave,
}: Installation): Promise<Testbed> {
  const [port = 0] = await freePorts(1);
  const api = startMeasured('apps/api/src/main.ts', {
    ...SECRETS,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: String(POOL_SIZE),
    DATA_DIR: folder,
    PORT: String(port),
    RATE_LIMIT: '1000000000',
  });
  leaving.push(() => api.stop());
  const client = createLoadClient(`http://127.0.0.1:${port}`, token);
  leaving.push(async () => client.close());
  await untilReady(client);
  const assistantId = await firstOutboundAssistant(client);
  const campaignId = await makeCampaign(client, assistantId);
  return { databaseUrl, sql, userId, assistantId, campaignId, token, api, client, leave };
}

async function untilReady(client: LoadClient): Promise<void> {
  const limit = systemClock.monotonic() + READY_LIMIT_MS;
  for (;;) {
    const isReady = await client.once({ method: 'GET', path: '/readyz' }).then(
      () => true,
      () => false,
    );
    if (isReady) return;
    if (systemClock.monotonic() > limit) throw new Error('The api did not become ready');
    await pause(systemClock, 100);
  }
}

async function firstOutboundAssistant(client: LoadClient): Promise<number> {
  const text = await client.once({ method: 'GET', path: '/api/user/assistants/outbound' });
  const [assistant] = JSON.parse(text) as { id: number }[];
  if (!assistant) throw new Error('A fresh installation has no outbound assistant');
  return assistant.id;
}

async function makeCampaign(client: LoadClient, assistantId: number): Promise<number> {
  const body = { name: 'Benchmark', assistant_id: assistantId };
  const text = await client.once({ method: 'POST', path: '/api/user/campaigns', body });
  return (JSON.parse(text) as { data: { id: number } }).data.id;
}
