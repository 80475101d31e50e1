/**
 * Recovers calls whose voice process died, whose job was lost, or whose evaluation never came, and erases the
 * configuration of deleted assistants. Runs every two seconds in every worker.
 */
import { eraseDeletedAssistants, findSilentProcesses, sweepCalls } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function sweepCallsTask(worker: WorkerContext): Promise<void> {
  const { core, voice, reachability } = worker;
  const silent = await findSilentProcesses(core);
  const answers = await Promise.all(silent.map((process) => voice.isAlive(process.url)));
  const unreachable = silent.filter((_, index) => !answers[index]);
  await sweepCalls(core, { hasBeenReachableForMs: reachability.forMs(), unreachable });
  await eraseDeletedAssistants(core);
}
