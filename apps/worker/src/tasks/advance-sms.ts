/** Sends a text message, or asks its carrier what became of it. */
import { advanceSms, type JobPayload } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function advanceSmsTask(worker: WorkerContext, job: JobPayload<'advance_sms'>): Promise<void> {
  await advanceSms(worker.core, job.smsId);
}
