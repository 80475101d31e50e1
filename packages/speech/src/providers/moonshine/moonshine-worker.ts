/**
 * The thread in which Moonshine works for all calls of the process, one utterance at a time. Answers one
 * {@link MoonshineReply} per {@link MoonshineRequest}. Its owner never ends it in the middle of a native call.
 */
import { parentPort } from 'node:worker_threads';
import { answerMessages } from '../../worker-answers.ts';
import type { MoonshineReply, MoonshineRequest } from './moonshine-message.ts';
import type { MoonshineModel } from './moonshine-model.ts';

/** Imported late, so that a runtime without a build for this machine is reported as a fault instead of a crash. */
async function load(): Promise<MoonshineModel> {
  const late = await import('./moonshine-model.ts');
  return late.MoonshineModel.load();
}

function serve(port: NonNullable<typeof parentPort>): void {
  const loading = load();
  loading.catch(() => {}); // reported with the answer to the first utterance
  answerMessages(port, async (request: MoonshineRequest): Promise<MoonshineReply> => {
    const model = await loading;
    return model.recognise(request);
  });
}

if (parentPort) serve(parentPort);
