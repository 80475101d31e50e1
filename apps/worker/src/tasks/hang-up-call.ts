/** Tells the voice process that holds a call to end it. */
import { findHangUpTarget } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

/** @throws Error when the process did not take the request: the queue tries again, until the call has ended anyway */
export async function hangUpCall(worker: WorkerContext, { callId }: { callId: number }): Promise<void> {
  const target = await findHangUpTarget(worker.core, callId);
  if (!target) return;
  const answer = await worker.voice.hangUp(target.url, callId, target.reason);
  if (answer !== 'accepted') throw new Error(`The voice process did not take the hang-up (${answer})`);
}
