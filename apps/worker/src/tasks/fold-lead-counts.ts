/** Adds the changes of leads to the counts of their campaigns. Runs every minute in one worker. */
import { foldLeadCounts } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function foldLeadCountsTask(worker: WorkerContext): Promise<void> {
  await foldLeadCounts(worker.core);
}
