/** Runs the conversations of a suite, several at once, and judges each. */
import { isParleyError, ParleyConnectionError } from '@parley/client';
import { CommandError } from '../command-error.ts';
import { failuresOf } from './check-conversation.ts';
import type { Conversation } from './conversation.ts';
import { holdCall, MAX_CALLS } from './hold-call.ts';
import { holdTextConversation } from './hold-text-conversation.ts';
import { playedCaller, scriptedCaller, type SimulatedCaller } from './simulated-callers.ts';
import { findAssistants, throwIfStopped, type SuiteContext } from './suite-context.ts';
import { callersOf, type SuiteCaller, type SuiteFields } from './suite-fields.ts';

/** One conversation and what is wrong with it. */
export interface RunResult {
  /** From 1. */
  number: number;
  /** Null if it could not be held to its end. */
  conversation: Conversation | null;
  /** Expectations that are not met, or why there is no conversation; empty for a run that passed. */
  failures: readonly string[];
  durationMs: number;
}

/** All runs of one caller. */
export interface CallerResult {
  caller: SuiteCaller;
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
 * @throws CommandError with exit code 2 for an assistant that does not exist; another one after Ctrl-C
 */
export async function runSuite(
  context: SuiteContext,
  suite: SuiteFields,
  { parallel, onRun }: SuiteOptions,
): Promise<CallerResult[]> {
  const callers = callersOf(suite);
  const names = new Set(callers.map(({ assistant }) => assistant));
  if (suite.player && 'assistant' in suite.player) names.add(suite.player.assistant);
  const ids = await findAssistants(context, names);
  const jobs = callers.flatMap((caller, index) =>
    Array.from({ length: caller.runs }, (_, run): Job => ({ index, number: run + 1, caller })),
  );
  const results: RunResult[][] = callers.map(() => []);
  let done = 0;
  const run = async ({ index, number, caller }: Job, slot: number): Promise<void> => {
    const result = await runOnce({ context, suite, ids, caller, number, slot });
    results[index]?.push(result);
    done += 1;
    onRun({ done, total: jobs.length, caller, failure: result.failures[0] ?? null });
  };
  const inMode = (mode: SuiteCaller['mode']): Job[] => jobs.filter(({ caller }) => caller.mode === mode);
  await shareOut(inMode('text'), parallel, run);
  await shareOut(inMode('voice'), Math.min(parallel, MAX_CALLS), run);
  return callers.map((caller, index) => summary(caller, results[index] ?? []));
}

function summary(caller: SuiteCaller, runs: readonly RunResult[]): CallerResult {
  const passed = runs.filter(({ failures }) => failures.length === 0).length;
  const inOrder = runs.toSorted((one, other) => one.number - other.number);
  // Whole runs are compared: a product such as 0.07 * 100 is slightly more than 7.
  return { caller, runs: inOrder, passed, isPassed: passed >= requiredRuns(caller) };
}

/** How many runs must pass. */
export function requiredRuns({ runs, passRate }: Pick<SuiteCaller, 'runs' | 'passRate'>): number {
  return Math.ceil(runs * passRate - 1e-9);
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

interface Run {
  context: SuiteContext;
  suite: SuiteFields;
  ids: ReadonlyMap<string | number, number>;
  caller: SuiteCaller;
  number: number;
  slot: number;
}

async function runOnce(run: Run): Promise<RunResult> {
  const { caller, number, context } = run;
  const startedMs = context.clock.monotonic();
  const result = (conversation: Conversation | null, failures: readonly string[]): RunResult => ({
    number,
    conversation,
    failures,
    durationMs: context.clock.monotonic() - startedMs,
  });
  try {
    const conversation = await hold(run);
    return result(conversation, failuresOf(caller.expect, conversation));
  } catch (error) {
    throwIfStopped(context.signal);
    return result(null, [faultOf(error)]);
  }
}

function hold({ context, suite, ids, caller, slot }: Run): Promise<Conversation> {
  const { variables, phone, maxTurns } = caller;
  const assistantId = ids.get(caller.assistant) ?? 0;
  if (phone !== undefined) return holdCall(context, { assistantId, phone, variables, slot });
  return holdTextConversation(context, {
    assistantId,
    caller: simulate({ context, suite, ids, caller }),
    variables,
    runTools: suite.run_tools,
    maxTurns,
  });
}

function simulate({ context, suite, ids, caller }: Omit<Run, 'number' | 'slot'>): SimulatedCaller {
  const { persona, variables } = caller;
  const { player } = suite;
  if (persona === undefined || player === undefined) return scriptedCaller(caller);
  const assistantId = 'assistant' in player ? (ids.get(player.assistant) ?? 0) : 0;
  return playedCaller(context, player, { persona, variables, assistantId });
}

/** @throws an error of the program */
function faultOf(error: unknown): string {
  const isKnown =
    isParleyError(error) || error instanceof ParleyConnectionError || error instanceof CommandError;
  if (isKnown) return error.message;
  // The player's server: `fetch` and its time limit.
  if (error instanceof TypeError || (error instanceof Error && error.name === 'AbortError'))
    return error.message;
  throw error;
}
