/**
 * Settles a call after its hang-up: immediately if it cannot be evaluated, otherwise through a voice process, which has
 * access to the models. A sweep settles it 60 s after hang-up if this job does not.
 */
import { completeCall, planEvaluation } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function evaluateCall(worker: WorkerContext, { callId }: { callId: number }): Promise<void> {
  const plan = await planEvaluation(worker.core, callId);
  if (plan.do === 'nothing') return;
  if (plan.do === 'complete') {
    await completeCall(worker.core, callId, { unevaluatedBecause: plan.because });
    return;
  }
  const answer = plan.url === null ? 'unreachable' : await worker.voice.evaluate(plan.url, callId);
  if (answer !== 'accepted') throw new Error(`No voice process can evaluate the call now (${answer})`);
}
