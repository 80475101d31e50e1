/** Suites of simulated callers, their runs, and the conversations of a run. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { document, generatedId, instant, looseId, optionalInstant, owner } from './columns.ts';

const amount = () => p.decimal('number').columnType('numeric(12,6)');

/** A caller of a run, as the suite had it when the run began. */
export interface StoredSuiteCaller {
  name: string;
  mode: 'text' | 'voice';
  /** Name or id. */
  assistant: string;
  runs: number;
  /** How many of them must pass. */
  required: number;
}

export const Suite = defineEntity({
  name: 'Suite',
  tableName: 'suites',
  indexes: [{ name: 'suites_user_id_id_index', properties: ['userId', 'id'] }],
  properties: {
    id: generatedId(),
    userId: owner,
    name: p.text(),
    /** YAML or JSON. */
    definition: p.text(),
    callersCount: p.integer(),
    conversationsCount: p.integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

export const SuiteRun = defineEntity({
  name: 'SuiteRun',
  tableName: 'suite_runs',
  indexes: [
    { name: 'suite_runs_user_id_id_index', properties: ['userId', 'id'] },
    {
      name: 'suite_runs_running_index',
      expression: `create index "suite_runs_running_index" on "suite_runs" ("id") where status = 'running'`,
    },
    {
      name: 'suite_runs_suite_id_id_index',
      expression: `create index "suite_runs_suite_id_id_index" on "suite_runs" ("suite_id", "id") where suite_id is not null`,
    },
    {
      name: 'suite_runs_replayed_call_id_index',
      expression: `create index "suite_runs_replayed_call_id_index" on "suite_runs" ("replayed_call_id") where replayed_call_id is not null`,
    },
  ],
  properties: {
    id: generatedId(),
    userId: owner,
    /** Null for a replay, and after the suite was deleted. */
    suiteId: looseId().strictNullable(),
    /** The call whose caller is repeated. */
    replayedCallId: looseId().strictNullable(),
    name: p.text(),
    /** The definition of the suite when the run began. */
    definition: p.text(),
    callers: document<StoredSuiteCaller[]>(),
    /** The id of each assistant that the suite names, by name or id. */
    assistants: document<[string | number, number][]>(),
    /** Written by `suites/run-state.ts` of core only. */
    status: p.enum(['running', 'passed', 'failed', 'cancelled']),
    error: p.text().strictNullable(),
    parallel: p.integer(),
    maxCost: amount().strictNullable(),
    runUntil: instant(),
    createdAt: instant(),
    finishedAt: optionalInstant(),
  },
});

export const SuiteConversation = defineEntity({
  name: 'SuiteConversation',
  tableName: 'suite_conversations',
  indexes: [],
  uniques: [
    {
      name: 'suite_conversations_run_id_position_number_unique',
      properties: ['runId', 'position', 'number'],
    },
  ],
  properties: {
    id: generatedId(),
    runId: () => p.manyToOne(SuiteRun).mapToPk().joinColumn('run_id').deleteRule('cascade'),
    /** The position of the caller in the run, from 0. */
    position: p.integer(),
    /** From 1. */
    number: p.integer(),
    mode: p.enum(['text', 'voice']),
    state: p.enum(['waiting', 'running', 'done', 'skipped']),
    /** How often a worker has begun it; a worker writes only while this is what it was when it began. */
    attempt: p.integer(),
    /** Until then it belongs to its worker. */
    leaseUntil: optionalInstant(),
    /** Set in the transaction that places the call. */
    callId: looseId().strictNullable(),
    failures: document<string[]>(),
    turns: p.integer().strictNullable(),
    latencyP95: p.integer().strictNullable(),
    durationMs: p.integer().strictNullable(),
    cost: amount().strictNullable(),
    /** What was said and done; null until it is done, and where no conversation came about. */
    result: document<Record<string, unknown>>().strictNullable(),
  },
});

/** A row of {@link Suite}. */
export type SuiteRow = InferEntity<typeof Suite>;
/** A row of {@link SuiteRun}. */
export type SuiteRunRow = InferEntity<typeof SuiteRun>;
/** A row of {@link SuiteConversation}. */
export type SuiteConversationRow = InferEntity<typeof SuiteConversation>;
