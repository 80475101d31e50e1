/** Finishes the deletion of a campaign that was interrupted half-way; usually finds nothing left. */
import { removeLeads } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function removeLeadsTask(
  worker: WorkerContext,
  { campaignId }: { campaignId: number },
): Promise<void> {
  await removeLeads(worker.core, campaignId);
}
