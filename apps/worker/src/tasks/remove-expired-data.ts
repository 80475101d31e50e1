/** Removes data whose retention period is over, once a day. */
import { removeExpiredData } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function removeExpiredDataTask(worker: WorkerContext): Promise<void> {
  const removed = await removeExpiredData(worker.core, worker.retention);
  if (Object.values(removed).some((count) => count > 0))
    worker.core.log.info({ removed }, 'Expired data was removed');
}
