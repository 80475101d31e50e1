/** Runs the conversations of a suite, several at once, and judges each. */
import {
  assistantsOf,
  callersOf,
  holdConversation,
  idsOfAssistants,
  MAX_CALLS,
  requiredRuns,
  type HeldConversation,
  type SuiteCaller,
  type SuiteFields,
} from '@parley/suites';
import { faultOf, suiteContextOf, throwIfStopped, type CommandSurroundings } from './api-server.ts';

/** One conversation and what is wrong with it. */
export interface RunResult extends HeldConversation {
  /** From 1. */
  number: number;
}

/** All runs of one caller. */
export interface CallerResult {
  caller: Pick<SuiteCaller, 'name' | 'mode' | 'runs' | 'passRate'>;
  runs: readonly RunResult[];
  passed: number;
  isPassed: boolean;
}

/** How to run it. */
export interface SuiteOptions {
  /** Conversations in text at the same time; of calls at most {@link MAX_CALLS}. */
  parallel: number;
  onRun: (progress: { done: number; total: number; caller: SuiteCaller; failure: string | null }) => void;
}

interface Job {
  index: number;
  number: number;
  caller: SuiteCaller;
}

/**
 * Calls come after the conversations in text, which need the processors.
 *
 * @throws SuiteError for an assistant that does not exist; CommandError after Ctrl-C
 */
export async function runSuite(
  surroundings: CommandSurroundings,
  suite: SuiteFields,
  { parallel, onRun }: SuiteOptions,
): Promise<CallerResult[]> {
  const { api, signal } = surroundings;
  const context = suiteContextOf(surroundings);
  const callers = callersOf(suite);
  const { body: assistants } = await api.assistants.listAll();
  const ids = idsOfAssistants(assistants, assistantsOf(suite));
  const jobs = callers.flatMap((caller, index) =>
    Array.from({ length: caller.runs }, (_, run): Job => ({ index, number: run + 1, caller })),
  );
  const results: RunResult[][] = callers.map(() => []);
  let done = 0;
  const run = async ({ index, number, caller }: Job, slot: number): Promise<void> => {
    throwIfStopped(signal);
    const held = await holdConversation(context, { suite, caller, ids, slot, faultOf });
    throwIfStopped(signal);
    results[index]?.push({ ...held, number });
    done += 1;
    onRun({ done, total: jobs.length, caller, failure: held.failures[0] ?? null });
  };
  const inMode = (mode: SuiteCaller['mode']): Job[] => jobs.filter(({ caller }) => caller.mode === mode);
  await shareOut(inMode('text'), parallel, run);
  await shareOut(inMode('voice'), Math.min(parallel, MAX_CALLS), run);
  return callers.map((caller, index) => summary(caller, results[index] ?? []));
}

function summary(caller: SuiteCaller, runs: readonly RunResult[]): CallerResult {
  const passed = runs.filter(({ failures }) => failures.length === 0).length;
  const inOrder = runs.toSorted((one, other) => one.number - other.number);
  return { caller, runs: inOrder, passed, isPassed: passed >= requiredRuns(caller) };
}

/** Each slot takes the next job when it is free. */
async function shareOut(
  jobs: readonly Job[],
  slots: number,
  run: (job: Job, slot: number) => Promise<void>,
): Promise<void> {
  const waiting = jobs.values();
  const work = async (slot: number): Promise<void> => {
    for (const job of waiting) await run(job, slot);
  };
  await Promise.all(Array.from({ length: Math.min(slots, jobs.length) }, (_, slot) => work(slot)));
}
