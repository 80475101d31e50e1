/** Deletes the data of a user whose removal an operator requested. */
import { removeUserData } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function removeUserTask(worker: WorkerContext, { userId }: { userId: number }): Promise<void> {
  await removeUserData(worker.core, userId);
}
