/** Completes the undoing of an import that was interrupted; usually there is nothing left to do. */
import { removeImportedLeads } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function undoImportTask(
  worker: WorkerContext,
  { importId }: { importId: number },
): Promise<void> {
  await removeImportedLeads(worker.core, importId);
}
