/** Finishes the undoing of an import that was interrupted half-way; usually finds nothing left. */
import { removeImportedLeads } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function undoImportTask(
  worker: WorkerContext,
  { importId }: { importId: number },
): Promise<void> {
  await removeImportedLeads(worker.core, importId);
}
