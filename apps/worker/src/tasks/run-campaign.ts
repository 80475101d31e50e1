/** Dials the due leads of one campaign and plans its next run. */
import { runCampaign } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function runCampaignTask(
  worker: WorkerContext,
  { campaignId }: { campaignId: number },
): Promise<void> {
  await runCampaign(worker.core, campaignId);
}
