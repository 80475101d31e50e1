/** The real api beside the calls of `bench:talk`. */
import { freePorts } from '@parley/e2e';
import { pause, systemClock } from '@parley/runtime';
import { createLoadClient } from './http-load.ts';
import { SECRETS, type Installation } from './installation.ts';
import { startMeasured } from './measured-process.ts';

/** A started api. */
export interface TalkApi {
  url: string;
  stop(): Promise<void>;
}

const READY_LIMIT_MS = 20_000;

/** Resolves when it is ready; after a failure nothing is left. */
export async function startTalkApi({ databaseUrl, folder, token }: Installation): Promise<TalkApi> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const api = startMeasured('apps/api/src/main.ts', {
    ...SECRETS,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT: String(port),
    RATE_LIMIT: '1000000000',
  });
  try {
    await untilReady(url, token);
  } catch (error) {
    await api.stop();
    throw error;
  }
  return { url, stop: () => api.stop() };
}

async function untilReady(url: string, token: string): Promise<void> {
  const client = createLoadClient(url, token);
  const limitMs = systemClock.monotonic() + READY_LIMIT_MS;
  const isReady = (): Promise<boolean> =>
    client.once({ method: 'GET', path: '/readyz' }).then(
      () => true,
      () => false,
    );
  while (!(await isReady())) {
    if (systemClock.monotonic() > limitMs) throw new Error('The api did not become ready');
    await pause(systemClock, 100);
  }
  client.close();
}
