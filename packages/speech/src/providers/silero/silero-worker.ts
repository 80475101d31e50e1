/**
 * The thread in which Silero works for all calls of the process. Answers one {@link SileroReply} per
 * {@link SileroBatch}, in order. Ends when its owner terminates it.
 */
import { parentPort } from 'node:worker_threads';
import type { SileroBatch, SileroReply } from './silero-message.ts';
import type { SileroModel } from './silero-model.ts';

/** The import is a late one, so that a runtime without a build for this machine becomes a fault and not a crash. */
async function load(): Promise<SileroModel> {
  const late = await import('./silero-model.ts');
  return late.SileroModel.load();
}

function serve(port: NonNullable<typeof parentPort>): void {
  const loading = load();
  loading.catch(() => {}); // told with the answer to the first batch
  port.on('message', (batch: SileroBatch) => {
    void answer(loading, batch).then((reply) => port.postMessage(reply));
  });
}

async function answer(loading: Promise<SileroModel>, batch: SileroBatch): Promise<SileroReply> {
  try {
    const model = await loading;
    return { probabilities: await model.analyse(batch) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

if (parentPort) serve(parentPort);
