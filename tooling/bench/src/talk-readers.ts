/** Reads the API during the calls of `bench:talk`, in a separate process, so that it does not delay the callers. */
import { pause, systemClock } from '@parley/runtime';
import { createLoadClient } from './http-load.ts';
import { exitWith } from './exit-with.ts';

/** The task: address, token and duration in milliseconds. */
export interface ReadersTask {
  read: { url: string; token: string; forMs: number };
}

/** The result. */
export interface ReadersAnswer {
  requests: number;
}

const READERS = 4;
/** The pause of each reader between two requests, milliseconds. */
const APART_MS = 20;
const PATHS = ['/api/user/calls', '/api/user/leads', '/api/user/assistants'];

process.on('message', (message: Partial<ReadersTask>) => {
  if (message.read)
    read(message.read)
      .then((answer) => process.send?.(answer))
      .catch(exitWith);
});
// The probe lets go of the channel; the task must still arrive.
process.channel?.ref();

async function read({ url, token, forMs }: ReadersTask['read']): Promise<ReadersAnswer> {
  const client = createLoadClient(url, token);
  const untilMs = systemClock.monotonic() + forMs;
  let requests = 0;
  const work = async (): Promise<void> => {
    while (systemClock.monotonic() < untilMs) {
      await client.once({ method: 'GET', path: PATHS[requests++ % PATHS.length] ?? '' });
      await pause(systemClock, APART_MS);
    }
  };
  await Promise.all(Array.from({ length: READERS }, work));
  client.close();
  return { requests };
}
