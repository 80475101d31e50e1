/** Asks a carrier whether a number has been bought, where a request did not learn it. */
import { settlePurchase, type JobPayload } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function settlePurchaseTask(
  worker: WorkerContext,
  job: JobPayload<'settle_purchase'>,
): Promise<void> {
  await settlePurchase(worker.core, job.purchaseId);
}
