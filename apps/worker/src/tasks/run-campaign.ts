/** Looks after one campaign: dials what may be dialed, and plans the next look. */
import { runCampaign } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function runCampaignTask(
  worker: WorkerContext,
  { campaignId }: { campaignId: number },
): Promise<void> {
  await runCampaign(worker.core, campaignId);
}
