/** Makes failed webhooks due again, batch by batch; an interrupted run continues where it stopped. */
import { resendBatch, type ResendRequest } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function resendDeliveriesTask(worker: WorkerContext, request: ResendRequest): Promise<void> {
  while (await resendBatch(worker.core, request));
}
