/**
 * Recovers calls whose voice process died, whose job was lost, or whose evaluation never came, and erases the
 * configuration of deleted assistants. Runs every two seconds in every worker.
 */
import {
  eraseDeletedAssistants,
  findSilentProcesses,
  pickVoiceProcess,
  SWEEP_REACHABLE_MS,
  sweepCalls,
  type SilentProcess,
} from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function sweepCallsTask(worker: WorkerContext): Promise<void> {
  const { core, voice, reachability } = worker;
  const silent = await findSilentProcesses(core);
  const answers = await Promise.all(silent.map((process) => voice.isAlive(process.url)));
  const unreachable = silent.filter((_, index) => !answers[index]);
  const hasBeenReachableForMs = reachability.forMs();
  if (hasBeenReachableForMs >= SWEEP_REACHABLE_MS) await passCallsOn(worker, unreachable);
  await sweepCalls(core, { hasBeenReachableForMs, unreachable });
  await eraseDeletedAssistants(core);
}

/** Another process goes on with the calls of a lost one. The sweep ends those with which none does, whatever fails here. */
async function passCallsOn(
  { core, voice }: WorkerContext,
  unreachable: readonly SilentProcess[],
): Promise<void> {
  for (const { id } of unreachable) {
    try {
      const successor = await core.db.transaction((tx) => pickVoiceProcess(tx, { canWait: false }));
      const answer = successor ? await voice.takeOver(successor.url, id) : 'none';
      if (answer !== 'accepted') core.log.warn({ answer }, 'No process goes on with the calls of a lost one');
    } catch (error) {
      core.log.error({ err: error }, 'The calls of a lost process could not be passed on');
    }
  }
}
