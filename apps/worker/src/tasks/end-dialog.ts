/** Says goodbye to the far end of a call whose voice process died: it still believes that it is in a call. */
import { findLivingVoiceProcess, type JobPayload } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

/** @throws Error when no process sends the BYE now: the queue tries again. A BYE sent twice is answered 481. */
export async function endDialog(worker: WorkerContext, job: JobPayload<'end_dialog'>): Promise<void> {
  const process = await findLivingVoiceProcess(worker.core);
  if (!process) throw new Error('No voice process is there to end a lost dialog');
  const answer = await worker.voice.sendBye(process.url, job.dialog);
  if (answer !== 'accepted') throw new Error(`The voice process did not end a lost dialog (${answer})`);
  worker.core.log.info({ callId: job.callId }, 'A lost call was ended by another process');
}
