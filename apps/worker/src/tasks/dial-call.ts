/**
 * Hands a call over to a voice process and ends; it never waits for the call. It may run any number of times: it reads the
 * intent first, and a voice process accepts the same call only once. A retry is a new job after half a second, because
 * the back-off of the queue has a resolution of seconds.
 */
import { enqueueDial, planDial, releaseIntent } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

/** Pause before a call that could not be handed over is tried again, milliseconds. */
const NEXT_TRY_MS = 500;

export async function dialCall(worker: WorkerContext, { callId }: { callId: number }): Promise<void> {
  const plan = await planDial(worker.core, callId);
  if (plan.do === 'nothing') return;
  if (plan.do === 'wait') return tryAgain(worker, callId, plan.why);

  const { process, createdAt } = plan;
  const answer = await worker.voice.takeCall(process.url, { callId, createdAt, processId: process.id });
  if (answer === 'taken') return;
  // The process refused, so another one may dial. Without an answer, only its lease shows whether it took the call.
  if (answer !== 'unreachable') await releaseIntent(worker.core, callId, process.id);
  await tryAgain(worker, callId, answer);
}

async function tryAgain(worker: WorkerContext, callId: number, why: string): Promise<void> {
  const { clock, db, log } = worker.core;
  log.info({ callId, why }, 'A call could not be handed over yet');
  const runAt = new Date(clock.now() + NEXT_TRY_MS);
  await db.transaction((tx) => enqueueDial(tx, callId, runAt));
}
