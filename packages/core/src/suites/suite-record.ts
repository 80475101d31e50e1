/** Translates suites, runs and conversations to the API. */
import {
  isoMicroseconds,
  type SuiteCallerResult,
  type SuiteConversationRecord,
  type SuiteDetail,
  type SuiteRecord,
  type SuiteRunDetail,
  type SuiteRunRecord,
} from '@parley/contracts';
import type { StoredSuiteCaller, SuiteConversationRow, SuiteRow, SuiteRunRow } from '@parley/db';
import { percentile95, type Conversation } from '@parley/suites';

/** What is counted of the conversations of a run. */
interface RunCounts {
  conversations: number;
  done: number;
  failed: number;
  /** The cost of the calls of the run. */
  cost: number;
}

/** A row without its large columns. */
export type SuiteFacts = Omit<SuiteRow, 'definition'>;
/** A row without its large columns. */
export type RunFacts = Omit<SuiteRunRow, 'definition' | 'callers' | 'assistants'> & RunCounts;
/** A row without what was said. */
export type ConversationFacts = Omit<SuiteConversationRow, 'result' | 'runId' | 'attempt' | 'leaseUntil'>;

export function suiteRecord(row: SuiteFacts, lastRun: SuiteRunRecord | null): SuiteRecord {
  return {
    id: row.id,
    name: row.name,
    callers_count: row.callersCount,
    conversations_count: row.conversationsCount,
    last_run: lastRun,
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
  };
}

export function suiteDetail(row: SuiteRow, lastRun: SuiteRunRecord | null): SuiteDetail {
  return { ...suiteRecord(row, lastRun), definition: row.definition };
}

export function runRecord(row: RunFacts): SuiteRunRecord {
  return {
    id: row.id,
    suite_id: row.suiteId,
    replayed_call_id: row.replayedCallId,
    name: row.name,
    status: row.status,
    error: row.error,
    conversations_count: row.conversations,
    done_count: row.done,
    failed_count: row.failed,
    parallel: row.parallel,
    max_cost: row.maxCost,
    cost: row.cost,
    run_until: isoMicroseconds(row.runUntil),
    created_at: isoMicroseconds(row.createdAt),
    finished_at: row.finishedAt && isoMicroseconds(row.finishedAt),
  };
}

export function runDetail(
  row: RunFacts & Pick<SuiteRunRow, 'callers'>,
  conversations: readonly ConversationFacts[],
): SuiteRunDetail {
  return {
    ...runRecord(row),
    callers: row.callers.map((caller, position) => {
      const own = conversations.filter((one) => one.position === position);
      return { ...callerResult(caller, own), conversations: own.map(conversationFacts) };
    }),
  };
}

export function callerResult(
  { name, mode, assistant, runs, required }: StoredSuiteCaller,
  conversations: readonly ConversationFacts[],
): SuiteCallerResult {
  const done = conversations.filter(({ state }) => state === 'done');
  const passed = done.filter(isPassed).length;
  const costs = done.flatMap(({ cost }) => cost ?? []);
  const isOpen = conversations.some(({ state }) => state === 'waiting' || state === 'running');
  return {
    name,
    mode,
    assistant,
    runs,
    done: done.length,
    passed,
    required,
    is_passed: isOpen ? null : passed >= required,
    // The worst of its conversations: the single latencies are not loaded for a list.
    latency_p95: percentile95(done.flatMap(({ latencyP95 }) => latencyP95 ?? [])),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

function isPassed({ failures }: ConversationFacts): boolean {
  return failures.length === 0;
}

function conversationFacts(
  row: ConversationFacts,
): SuiteRunDetail['callers'][number]['conversations'][number] {
  return {
    id: row.id,
    number: row.number,
    state: row.state,
    is_passed: row.state === 'done' ? isPassed(row) : null,
    failures: row.failures,
    turns_count: row.turns,
    latency_p95: row.latencyP95,
    duration_ms: row.durationMs,
    cost: row.cost,
    call_id: row.callId,
  };
}

/** What of a conversation is known besides its row. */
export interface ConversationSurroundings {
  caller: StoredSuiteCaller | undefined;
  recordingUrl: string | null;
  replay: SuiteConversationRecord['replay'];
}

export function conversationRecord(
  row: SuiteConversationRow,
  { caller, recordingUrl, replay }: ConversationSurroundings,
): SuiteConversationRecord {
  const held = row.result as unknown as Conversation | null;
  return {
    ...conversationFacts(row),
    run_id: row.runId,
    caller: caller?.name ?? '',
    mode: row.mode,
    turns: [...(held?.turns ?? [])],
    tools: (held?.tools ?? []).map(({ isOk, arguments: given, ...tool }) => ({
      ...tool,
      arguments: { ...given },
      is_ok: isOk,
    })),
    latencies: [...(held?.latencies ?? [])],
    first_words: [...(held?.firstWords ?? [])],
    ended_by: held?.endedBy ?? null,
    variables: { ...held?.variables },
    call: callOf(held),
    recording_url: recordingUrl,
    replay,
  };
}

function callOf(held: Conversation | null): SuiteConversationRecord['call'] {
  if (!held?.call) return null;
  const { id, status, outcome, endedReason, duration, longestSilence, evaluation } = held.call;
  return {
    id,
    status,
    outcome,
    ended_reason: endedReason,
    duration,
    longest_silence: longestSilence,
    evaluation: { ...evaluation },
  };
}
