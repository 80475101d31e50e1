/** Checks every night that each lead is called or settled, and repairs those that a change has left behind. */
import { repairLeads } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function repairLeadsTask(worker: WorkerContext): Promise<void> {
  await repairLeads(worker.core);
}
