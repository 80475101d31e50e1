/** Completes the deletion of a campaign that was interrupted; usually there is nothing left to do. */
import { removeLeads } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function removeLeadsTask(
  worker: WorkerContext,
  { campaignId }: { campaignId: number },
): Promise<void> {
  await removeLeads(worker.core, campaignId);
}
