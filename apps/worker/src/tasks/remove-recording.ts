/** Removes the file of a recording whose call was deleted. */
import type { WorkerContext } from '../worker-context.ts';

/** Removing what is gone already is fine. */
export async function removeRecording(worker: WorkerContext, { key }: { key: string }): Promise<void> {
  await worker.core.recordings.remove(key);
}
