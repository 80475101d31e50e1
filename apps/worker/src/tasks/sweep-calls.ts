/**
 * Looks for calls that nobody looks after any more: their voice process died, their job was lost, their evaluation never
 * came. Runs every second in every worker.
 */
import { findSilentProcesses, sweepCalls, type LostCall } from '@parley/core';
import { pause } from '@parley/runtime';
import type { WorkerContext } from '../worker-context.ts';

const BYE_TRIES = 3;
const BYE_PAUSE_MS = 1_000;

export async function sweepCallsTask(worker: WorkerContext): Promise<void> {
  const { core, voice, reachability } = worker;
  const silent = await findSilentProcesses(core);
  const answers = await Promise.all(silent.map((process) => voice.isAlive(process.url)));
  const unreachable = silent.filter((_, index) => !answers[index]);
  const lost = await sweepCalls(core, { hasBeenReachableForMs: reachability.forMs(), unreachable });
  await Promise.all(lost.map((call) => endDialog(worker, call)));
}

/** The far end still believes that it is in a call. Best effort: our own record is closed already. */
async function endDialog(worker: WorkerContext, call: LostCall): Promise<void> {
  const { clock, log } = worker.core;
  for (let attempt = 1; call.endVia && call.dialog && attempt <= BYE_TRIES; attempt++) {
    const answer = await worker.voice.sendBye(call.endVia.url, call.dialog);
    if (answer === 'accepted')
      return log.info({ callId: call.callId }, 'A lost call was ended by another process');
    await pause(clock, BYE_PAUSE_MS);
  }
  log.warn({ callId: call.callId }, 'Nobody could tell the far end that its call is over');
}
