/** Asks the voice process of a call to end it. */
import { findHangUpTarget } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

/** @throws Error when the process did not accept the request, so that the queue retries until the call has ended */
export async function hangUpCall(worker: WorkerContext, { callId }: { callId: number }): Promise<void> {
  const target = await findHangUpTarget(worker.core, callId);
  if (!target) return;
  const answer = await worker.voice.hangUp(target.url, callId, target.reason);
  if (answer !== 'accepted') throw new Error(`The voice process did not accept the hang-up (${answer})`);
}
