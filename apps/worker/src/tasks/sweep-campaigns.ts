/** Wakes campaigns whose own job was lost. Runs every minute in one of the workers. */
import { sweepCampaigns } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function sweepCampaignsTask(worker: WorkerContext): Promise<void> {
  await sweepCampaigns(worker.core);
}
