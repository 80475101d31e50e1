/** Ends a call at its carrier that no voice process holds. */
import { endCarrierCall, type JobPayload } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

/** @throws CarrierError when the carrier does not answer, so that the queue retries. Ending a call twice is harmless. */
export async function endCarrierCallTask(
  worker: WorkerContext,
  job: JobPayload<'end_carrier_call'>,
): Promise<void> {
  await endCarrierCall(worker.core, job);
}
