/**
 * Gives up on the Silero thread while it computes, several times, and ends as a process does. Before threads with native
 * code were left to finish, this ended with SIGABRT (`Napi::Error`).
 */
import { ManualClock } from '@parley/runtime';
import {
  SILERO_WINDOW_SAMPLES,
  type SileroBatch,
  type SileroReply,
} from '../../src/providers/silero/silero-message.ts';
import { WorkerConnection } from '../../src/worker-connection.ts';

const ROUNDS = 4;
const WINDOWS = 300;
const LIMIT_MS = 1000;

function batchOf(count: number): SileroBatch {
  const streamIds = Array.from({ length: count }, (_, id) => id);
  return { streamIds, windows: new Int16Array(count * SILERO_WINDOW_SAMPLES), closedIds: [] };
}

const file = new URL('../../src/providers/silero/silero-worker.ts', import.meta.url);
for (let round = 0; round < ROUNDS; round++) {
  const clock = new ManualClock();
  const line = new WorkerConnection<SileroBatch, SileroReply>({
    file,
    clock,
    limitMs: LIMIT_MS,
    isNative: true,
  });
  await line.ask(batchOf(0)); // loads the model
  const late = line.ask(batchOf(WINDOWS)).catch((error: unknown) => error);
  await new Promise((resolve) => setTimeout(resolve, 20)); // the thread computes by now, at any speed of the machine
  clock.advance(LIMIT_MS);
  await late;
  await line.stop();
}
