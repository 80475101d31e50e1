/**
 * Holds the conversations of stored suites. Each belongs to this worker while it renews its lease; a worker that was killed
 * leaves it to another one (docs/decisions/suite-runs.md).
 */
import {
  claimSuiteConversations,
  DomainError,
  findSuiteRunToHold,
  renewSuiteConversations,
  storeSuiteConversation,
  type ClaimedConversation,
  type CoreContext,
} from '@parley/core';
import { pause, type Service } from '@parley/runtime';
import {
  callersOf,
  holdConversation,
  MAX_CALLS,
  readSuiteApart,
  type HeldConversation,
  type ReadSuite,
} from '@parley/suites';
import { Agent } from 'undici';
import { createRepeatedTask } from '../repeated-task.ts';
import type { WorkerContext } from '../worker-context.ts';
import { createInstallationServer } from './installation-server.ts';
import { createJudgeThread } from './judge-thread.ts';

/** Conversations in text that a worker holds at the same time; they wait for models most of the time. */
const MAX_TEXTS = 50;
/** The longest time until a run begins, and until a conversation notices that its run was cancelled. */
const PAUSE_MS = 1_000;
/** A voice process ends a reply after 30 s. */
const REPLY_LIMIT_MS = 45_000;
const GONE = 'The account of this run is disabled.';

/** A conversation that is being held. */
interface Held {
  claimed: ClaimedConversation;
  stopped: AbortController;
  ended: Promise<void>;
}

/** @param internalSecret - the setting INTERNAL_SECRET */
export function createSuiteRunner({ core }: WorkerContext, internalSecret: string): Service {
  const { clock, log } = core;
  const held = new Map<number, Held>();
  /** The suites of the runs whose conversations are being held. A run never changes its text. */
  const suites = new Map<number, Promise<ReadSuite>>();
  const judge = createJudgeThread(clock);
  const agent = new Agent({ allowH2: false, headersTimeout: REPLY_LIMIT_MS, bodyTimeout: REPLY_LIMIT_MS });

  async function readPatiently(userId: number, definition: string): Promise<ReadSuite> {
    for (;;) {
      const read = await readSuiteApart(clock, userId, definition);
      if (read) return read;
      await pause(clock, PAUSE_MS);
    }
  }

  function readOnce(runId: number, userId: number, definition: string): Promise<ReadSuite> {
    const read = suites.get(runId) ?? readPatiently(userId, definition);
    suites.set(runId, read);
    return read;
  }

  async function step(): Promise<void> {
    const mine = [...held.values()].map(({ claimed }) => claimed);
    if (mine.length > 0) {
      const kept = await renewSuiteConversations(core, mine);
      for (const [id, { stopped }] of held) if (!kept.has(id)) stopped.abort();
    }
    for (const runId of suites.keys())
      if (!mine.some((claimed) => claimed.runId === runId)) suites.delete(runId);
    const texts = MAX_TEXTS - mine.filter(({ mode }) => mode === 'text').length;
    const calls = MAX_CALLS - mine.filter(({ mode }) => mode === 'voice').length;
    for (const claimed of await claimSuiteConversations(core, { texts, calls })) begin(claimed);
  }

  function begin(claimed: ClaimedConversation): void {
    const stopped = new AbortController();
    const ended = hold(claimed, stopped.signal)
      .catch((error: unknown) => {
        if (stopped.signal.aborted) return;
        // Its lease ends, and it is begun again.
        log.error({ err: error, conversationId: claimed.id }, 'A conversation of a suite failed');
      })
      .finally(() => {
        if (held.get(claimed.id)?.stopped === stopped) held.delete(claimed.id);
      });
    held.set(claimed.id, { claimed, stopped, ended });
  }

  async function hold(claimed: ClaimedConversation, signal: AbortSignal): Promise<void> {
    const held = await converse({ core, internalSecret, agent, judge, readOnce }, claimed, signal);
    await storeSuiteConversation(core, claimed, held);
  }

  const task = createRepeatedTask({ name: 'hold_suites', pauseMs: PAUSE_MS, run: step, clock, log });
  return {
    start: () => task.start(),
    async stop() {
      await task.stop();
      for (const { stopped } of held.values()) stopped.abort();
      await Promise.all([...held.values()].map(({ ended }) => ended));
      await judge.stop();
      await agent.destroy();
    },
  };
}

function sentenceOf({ message, fields }: DomainError): string {
  return Object.values(fields)[0]?.[0] ?? message;
}

interface RunnerParts {
  core: CoreContext;
  internalSecret: string;
  agent: Agent;
  judge: ReturnType<typeof createJudgeThread>;
  readOnce: (runId: number, userId: number, definition: string) => Promise<ReadSuite>;
}

async function converse(
  { core, internalSecret, agent, judge, readOnce }: RunnerParts,
  claimed: ClaimedConversation,
  signal: AbortSignal,
): Promise<HeldConversation> {
  const run = await findSuiteRunToHold(core, claimed.runId);
  const read = run && (await readOnce(claimed.runId, run.identity.userId, run.definition));
  signal.throwIfAborted();
  if (!run || !read || 'faults' in read) return { conversation: null, failures: [GONE], durationMs: 0 };
  const caller = callersOf(read.suite)[claimed.position];
  if (!caller) throw new Error('A conversation has no caller in its suite');
  const { identity } = run;
  const parts = { core, internalSecret, agent, identity, conversation: claimed, signal };
  return holdConversation(
    {
      server: createInstallationServer(parts),
      judge: judge.of(identity.userId),
      clock: core.clock,
      environment: {},
      signal,
    },
    {
      suite: read.suite,
      caller,
      ids: new Map(run.assistants),
      slot: claimed.id,
      faultOf: (error) => (error instanceof DomainError ? sentenceOf(error) : null),
    },
  );
}
