/**
 * Settles a call after its hang-up. There is no evaluation by a model yet, so the call is completed at once; a sweep
 * does the same 60 s after the hang-up, should this job be lost.
 */
import { completeCall } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function evaluateCall(worker: WorkerContext, { callId }: { callId: number }): Promise<void> {
  await completeCall(worker.core, callId);
}
