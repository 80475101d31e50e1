/** Removes the file of a recording whose call was deleted. */
import type { WorkerContext } from '../worker-context.ts';

/** Succeeds if the file is already gone. */
export async function removeRecording(worker: WorkerContext, { key }: { key: string }): Promise<void> {
  await worker.core.recordings.remove(key);
}
