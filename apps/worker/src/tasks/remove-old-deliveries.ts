/** Removes old webhooks, once a day. */
import { removeOldDeliveries } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function removeOldDeliveriesTask(worker: WorkerContext): Promise<void> {
  const removed = await removeOldDeliveries(worker.core, worker.webhookLogDays);
  if (removed > 0) worker.core.log.info({ removed }, 'Old webhooks were removed');
}
