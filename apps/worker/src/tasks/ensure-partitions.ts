/** Creates the partitions of the coming months, so that no call is written to the default partition. */
import { statement } from '@parley/db';
import type { WorkerContext } from '../worker-context.ts';

const MONTHS_AHEAD = 3;
const ensure = statement('ensure_call_partitions', 'select parley_ensure_call_partitions($1)');

export async function ensurePartitions(worker: WorkerContext): Promise<void> {
  await worker.core.db.query(ensure, [MONTHS_AHEAD]);
}
