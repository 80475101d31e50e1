/**
 * Settles a call after its hang-up: at once where nothing can evaluate it, otherwise through a voice process, which has
 * the models. A sweep settles it 60 s after the hang-up, whatever happens here.
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
  if (answer !== 'accepted') throw new Error(`No voice process evaluates calls now: ${answer}`);
}
