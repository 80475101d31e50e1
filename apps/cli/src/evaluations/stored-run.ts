/** Waits for the run of a stored suite, and reads its results in the form of the command `test`. */
import type { ParleyClient } from '@parley/client';
import { pause } from '@parley/runtime';
import type { Conversation } from '@parley/suites';
import { patiently, throwIfStopped, type CommandSurroundings } from './api-server.ts';
import type { CallerResult, RunResult } from './run-suite.ts';

type RunDetail = Awaited<ReturnType<ParleyClient['suiteRuns']['get']>>['body'];
type StoredConversation = Awaited<ReturnType<ParleyClient['suiteRuns']['conversation']>>['body'];

const LOOK_MS = 2_000;

/** @param onProgress - called whenever more conversations are done */
export async function waitForRun(
  surroundings: CommandSurroundings,
  id: number,
  onProgress: (run: RunDetail) => void,
): Promise<RunDetail> {
  const { api, clock, signal } = surroundings;
  let done = -1;
  for (;;) {
    const { body: run } = await patiently(surroundings, () => api.suiteRuns.get({ params: { id } }));
    if (run.done_count > done) onProgress(run);
    done = run.done_count;
    if (run.status !== 'running') return run;
    await pause(clock, LOOK_MS, signal);
    throwIfStopped(signal);
  }
}

/** Conversations that were not held are left out. */
export async function resultsOf(
  surroundings: CommandSurroundings,
  { callers }: RunDetail,
): Promise<CallerResult[]> {
  const results: CallerResult[] = [];
  for (const { name, mode, runs, required, passed, is_passed: isPassed, conversations } of callers) {
    const held: RunResult[] = [];
    for (const { id, state } of conversations)
      if (state === 'done') held.push(await resultOf(surroundings, id));
    const caller = { name, mode, runs, passRate: required / runs };
    results.push({ caller, runs: held, passed, isPassed: isPassed === true });
  }
  return results;
}

async function resultOf(surroundings: CommandSurroundings, id: number): Promise<RunResult> {
  const { api } = surroundings;
  const { body } = await patiently(surroundings, () => api.suiteRuns.conversation({ params: { id } }));
  const { number, failures, duration_ms: durationMs } = body;
  return { number, failures, durationMs: durationMs ?? 0, conversation: conversationOf(body) };
}

/** @returns null for a conversation that could not be held to its end */
function conversationOf(stored: StoredConversation): Conversation | null {
  const { turns, tools, latencies, call, cost, variables } = stored;
  if (turns.length === 0 && stored.ended_by === null && call === null) return null;
  return {
    turns,
    tools: tools.map(({ is_ok: isOk, ...tool }) => ({ ...tool, isOk })),
    latencies,
    firstWords: stored.first_words,
    endedBy: stored.ended_by,
    variables,
    cost,
    call: call && {
      id: call.id,
      status: call.status,
      outcome: call.outcome,
      endedReason: call.ended_reason,
      duration: call.duration,
      longestSilence: call.longest_silence,
      evaluation: call.evaluation,
    },
  };
}
