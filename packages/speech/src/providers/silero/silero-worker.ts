/**
 * The thread in which Silero works for all calls of the process. Answers one {@link SileroReply} per
 * {@link SileroBatch}. Its owner ends it, but never in the middle of a batch (`isNative` in `worker-connection.ts`).
 */
import { parentPort } from 'node:worker_threads';
import { answerMessages } from '../../worker-answers.ts';
import type { SileroBatch, SileroReply } from './silero-message.ts';
import type { SileroModel } from './silero-model.ts';

/** Imported late, so that a runtime without a build for this machine is reported as a fault instead of a crash. */
async function load(): Promise<SileroModel> {
  const late = await import('./silero-model.ts');
  return late.SileroModel.load();
}

function serve(port: NonNullable<typeof parentPort>): void {
  const loading = load();
  loading.catch(() => {}); // reported with the answer to the first batch
  answerMessages(port, async (batch: SileroBatch): Promise<SileroReply> => {
    const model = await loading;
    return { probabilities: await model.analyse(batch) };
  });
}

if (parentPort) serve(parentPort);
