/** Adds the changes of settled calls to the counts per day. Runs every minute in one worker. */
import { foldCallCounts } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function foldCallCountsTask(worker: WorkerContext): Promise<void> {
  await foldCallCounts(worker.core);
}
