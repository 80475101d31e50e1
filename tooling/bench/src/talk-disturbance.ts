/** What the calls of P7 are disturbed by: readers of the real api, and a second of JSON on the voice's main thread. */
import { startMeasured, type MeasuredProcess } from './measured-process.ts';
import { startTalkApi } from './talk-api.ts';
import type { TalkTestbed } from './talk-testbed.ts';
import type { ReadersAnswer, ReadersTask } from './talk-readers.ts';

/** Ready to disturb. */
export interface Disturbance {
  /** Resolves with the number of requests that were answered meanwhile. */
  run(forMs: number): Promise<number>;
  stop(): Promise<void>;
}

/** How much longer than their task the readers may take, milliseconds. */
const ANSWER_LIMIT_MS = 20_000;

/** Starts the load. */
export async function startDisturbance({ installation, voice }: TalkTestbed): Promise<Disturbance> {
  const api = await startTalkApi(installation);
  const readers = startMeasured('tooling/bench/src/talk-readers.ts');
  const { token } = installation;
  const run = async (forMs: number): Promise<number> => {
    await voice.startStorm();
    return read(readers, { read: { url: api.url, token, forMs } });
  };
  return { run, stop: async () => void (await Promise.all([api.stop(), readers.stop()])) };
}

async function read(readers: MeasuredProcess, task: ReadersTask): Promise<number> {
  return (await readers.exchange<ReadersAnswer>(task, task.read.forMs + ANSWER_LIMIT_MS)).requests;
}
