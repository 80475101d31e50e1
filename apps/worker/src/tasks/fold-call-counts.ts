/** Adds up what was noted of settled calls. Runs every minute in one of the workers. */
import { foldCallCounts } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function foldCallCountsTask(worker: WorkerContext): Promise<void> {
  await foldCallCounts(worker.core);
}
