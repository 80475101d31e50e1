/** Wakes campaigns whose job was lost. Runs every minute in one worker. */
import { sweepCampaigns } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function sweepCampaignsTask(worker: WorkerContext): Promise<void> {
  await sweepCampaigns(worker.core);
}
