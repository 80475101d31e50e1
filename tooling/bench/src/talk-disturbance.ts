/** What the calls of P7 are disturbed by: readers of the real api, and a second of JSON on the voice's main thread. */
import { freePorts } from '@parley/e2e';
import { pause, systemClock } from '@parley/runtime';
import { createLoadClient } from './http-load.ts';
import { SECRETS } from './installation.ts';
import { startMeasured, type MeasuredProcess } from './measured-process.ts';
import type { TalkTestbed } from './talk-testbed.ts';
import type { ReadersAnswer, ReadersTask } from './talk-readers.ts';

/** Ready to disturb. */
export interface Disturbance {
  /** Resolves with the number of requests that were answered meanwhile. */
  run(forMs: number): Promise<number>;
  stop(): Promise<void>;
}

const READY_LIMIT_MS = 20_000;

/** Starts the load. */
export async function startDisturbance({ installation, voice }: TalkTestbed): Promise<Disturbance> {
  const { databaseUrl, folder, token } = installation;
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const api = startMeasured('apps/api/src/main.ts', {
    ...SECRETS,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT: String(port),
    RATE_LIMIT: '1000000000',
  });
  const readers = startMeasured('tooling/bench/src/talk-readers.ts');
  const stop = async (): Promise<void> => void (await Promise.all([api.stop(), readers.stop()]));
  try {
    await untilReady(url, token);
  } catch (error) {
    await stop();
    throw error;
  }
  const run = async (forMs: number): Promise<number> => {
    await voice.startStorm();
    return read(readers, { read: { url, token, forMs } });
  };
  return { run, stop };
}

async function read(readers: MeasuredProcess, task: ReadersTask): Promise<number> {
  return (await readers.exchange<ReadersAnswer>(task, task.read.forMs + READY_LIMIT_MS)).requests;
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
