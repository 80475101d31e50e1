/** Wakes campaigns whose job was lost, and reports limits of costs. Runs every minute in one worker. */
import { reportReachedCosts, sweepCampaigns } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function sweepCampaignsTask(worker: WorkerContext): Promise<void> {
  await reportReachedCosts(worker.core);
  await sweepCampaigns(worker.core);
}
