/** Sends BYE to the far end of a call whose voice process died. Without it the far end would stay connected. */
import { findLivingVoiceProcess, type JobPayload } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

/** @throws Error when no process can send the BYE now, so that the queue retries. A repeated BYE is answered with 481. */
export async function endDialog(worker: WorkerContext, job: JobPayload<'end_dialog'>): Promise<void> {
  const process = await findLivingVoiceProcess(worker.core);
  if (!process) throw new Error('No voice process is available to end a lost dialog');
  const answer = await worker.voice.sendBye(process.url, job.dialog);
  if (answer !== 'accepted') throw new Error(`The voice process did not end a lost dialog (${answer})`);
  worker.core.log.info({ callId: job.callId }, 'A lost call was ended by another process');
}
