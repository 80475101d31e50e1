/**
 * Suites of simulated callers that an account has stored, their runs, and the conversations of a run. The text of a suite is
 * that of the command `test`. See docs/evaluations.md.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { callOutcomes, callStatuses } from './call-states.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, queryErrors, singleErrors } from './errors.ts';
import {
  idParameter,
  integer,
  jsonObject,
  nullable,
  number,
  optionalQuery,
  requiredText,
  shape,
} from './fields.ts';

const MAX_NAME = 200;
/** Characters of a suite. Its text may have 1 MiB, which JSON writes longer. */
const MAX_DEFINITION = 1_000_000;
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** The definition is one text. */
const MAX_VALUES = 1000;
const MAX_PARALLEL = 50;
const MAX_MINUTES = 240;

/** `running`: conversations wait or are being held. */
const suiteRunStatuses = ['running', 'passed', 'failed', 'cancelled'] as const;
/** `skipped`: not held, because the run ended before. */
const suiteConversationStates = ['waiting', 'running', 'done', 'skipped'] as const;
const modes = ['text', 'voice'] as const;

const runFacts = {
  id: z.int(),
  /** Null for a replay, and after the suite was deleted. */
  suite_id: z.int().nullable(),
  /** The call whose caller is repeated; null for the run of a suite. */
  replayed_call_id: z.int().nullable(),
  name: z.string(),
  status: z.enum(suiteRunStatuses),
  /** Why it ended before all conversations were held; null otherwise. */
  error: z.string().nullable(),
  conversations_count: z.int(),
  done_count: z.int(),
  failed_count: z.int(),
  parallel: z.int(),
  max_cost: z.number().nullable(),
  /** The cost of the calls of the run. */
  cost: z.number(),
  /** The run ends at this time, even if conversations are missing. */
  run_until: isoMicrosecondsField,
  created_at: isoMicrosecondsField,
  finished_at: isoMicrosecondsField.nullable(),
};

const suiteRun = z.strictObject(runFacts).meta({ id: 'SuiteRun' });

const suiteFacts = {
  id: z.int(),
  name: z.string(),
  callers_count: z.int(),
  conversations_count: z.int(),
  /** The newest; null before the first. */
  last_run: suiteRun.nullable(),
  created_at: isoMicrosecondsField,
  updated_at: isoMicrosecondsField,
};
const suite = z.strictObject(suiteFacts).meta({ id: 'Suite' });
const suiteDetail = z.strictObject({ ...suiteFacts, definition: z.string() }).meta({ id: 'SuiteDetail' });

const conversationFacts = {
  id: z.int(),
  /** From 1, of the runs of its caller. */
  number: z.int(),
  state: z.enum(suiteConversationStates),
  /** Null until it is done. */
  is_passed: z.boolean().nullable(),
  /** One sentence for each expectation that was not met, or why there is no conversation. */
  failures: z.array(z.string()),
  /** The number of turns of the caller. */
  turns_count: z.int().nullable(),
  /** 95th percentile, milliseconds. */
  latency_p95: z.int().nullable(),
  duration_ms: z.int().nullable(),
  cost: z.number().nullable(),
  call_id: z.int().nullable(),
};

const callerSummary = z
  .strictObject({
    name: z.string(),
    mode: z.enum(modes),
    /** Name or id, as the suite has it. */
    assistant: z.string(),
    runs: z.int(),
    done: z.int(),
    passed: z.int(),
    /** How many must pass. */
    required: z.int(),
    /** Null until it is certain. */
    is_passed: z.boolean().nullable(),
    latency_p95: z.int().nullable(),
    cost: z.number().nullable(),
  })
  .meta({ id: 'SuiteCallerResult' });

const suiteRunDetail = z
  .strictObject({
    ...runFacts,
    callers: z.array(
      callerSummary
        .extend({
          conversations: z.array(z.strictObject(conversationFacts).meta({ id: 'SuiteConversationSummary' })),
        })
        .meta({ id: 'SuiteRunCaller' }),
    ),
  })
  .meta({ id: 'SuiteRunDetail' });

const spokenTurn = z
  .strictObject({ speaker: z.enum(['caller', 'assistant']), text: z.string() })
  .meta({ id: 'SuiteTurn' });

const suiteConversation = z
  .strictObject({
    ...conversationFacts,
    run_id: z.int(),
    caller: z.string(),
    mode: z.enum(modes),
    turns: z.array(spokenTurn),
    tools: z.array(
      z.strictObject({ name: z.string(), arguments: jsonObject, is_ok: z.boolean(), result: z.string() }),
    ),
    /** How long the caller waited for each reply, milliseconds. */
    latencies: z.array(z.number()),
    /** Text mode: until the first words of the model, milliseconds. */
    first_words: z.array(z.number()),
    ended_by: z.enum(['assistant', 'caller', 'system']).nullable(),
    variables: jsonObject,
    /** Null in text mode. */
    call: z
      .strictObject({
        id: z.int(),
        status: z.enum(callStatuses),
        outcome: z.enum(callOutcomes).nullable(),
        ended_reason: z.string().nullable(),
        duration: z.int(),
        longest_silence: z.number().nullable(),
        evaluation: jsonObject,
      })
      .meta({ id: 'SuiteCallFacts' })
      .nullable(),
    /** Null without a recording, and in text mode. */
    recording_url: z.string().nullable(),
    /** For a replay: what was recorded beside what is said now. Null otherwise, and after the call was deleted. */
    replay: z
      .array(
        z
          .strictObject({ caller: z.string().nullable(), recorded: z.string(), now: z.string() })
          .meta({ id: 'ReplayedTurn' }),
      )
      .nullable(),
  })
  .meta({ id: 'SuiteConversation' });

/** What became of a caller from the earlier run to the later one. */
const suiteChanges = ['same', 'better', 'worse', 'added', 'removed'] as const;

const comparison = z
  .strictObject({
    before: suiteRun,
    after: suiteRun,
    callers: z.array(
      z
        .strictObject({
          name: z.string(),
          change: z.enum(suiteChanges),
          before: callerSummary.nullable(),
          after: callerSummary.nullable(),
        })
        .meta({ id: 'ComparedCaller' }),
    ),
  })
  .meta({ id: 'SuiteComparison' });

const name = requiredText({ maximum: MAX_NAME });
const definition = requiredText({ maximum: MAX_DEFINITION });

/** Creates a suite. Without `name`, it has the name in its text. */
export const newSuiteBody = shape({ name: name.optional(), definition }).meta({ id: 'NewSuite' });
/** Omitted fields stay unchanged. */
export const suiteChangesBody = shape({ name: name.optional(), definition: definition.optional() }).meta({
  id: 'SuiteChanges',
});
const runLimits = {
  /** Conversations in text at the same time; of calls at most 8. */
  parallel: integer({ minimum: 1, maximum: MAX_PARALLEL }).default(10),
  /** The run ends when its conversations have cost as much; null: no limit. */
  max_cost: nullable(number({ minimum: 0, maximum: 100_000 })).default(null),
  max_minutes: integer({ minimum: 1, maximum: MAX_MINUTES }).default(60),
};
/** Starts a run. */
export const newSuiteRunBody = shape(runLimits).meta({ id: 'NewSuiteRun' });
/** Repeats the caller of a call. */
export const newReplayBody = shape({ assistant_id: integer() }).meta({ id: 'NewReplay' });

/** A suite in a list. */
export type SuiteRecord = z.output<typeof suite>;
/** A suite with its text. */
export type SuiteDetail = z.output<typeof suiteDetail>;
/** A run in a list. */
export type SuiteRunRecord = z.output<typeof suiteRun>;
/** A run with the results of its callers. */
export type SuiteRunDetail = z.output<typeof suiteRunDetail>;
/** One caller of a run. */
export type SuiteCallerResult = z.output<typeof callerSummary>;
/** A conversation with what was said. */
export type SuiteConversationRecord = z.output<typeof suiteConversation>;
/** Two runs side by side. */
export type SuiteComparison = z.output<typeof comparison>;
/** The body that creates a suite. */
export type NewSuite = z.output<typeof newSuiteBody>;
/** What of a suite changes. */
export type SuiteChanges = z.output<typeof suiteChangesBody>;
/** The limits of a run. */
export type NewSuiteRun = z.output<typeof newSuiteRunBody>;

const LIST_PATH = '/api/user/suites';
const ONE_PATH = '/api/user/suites/:id';
const RUNS_PATH = '/api/user/suites/:id/runs';
const RUN_PATH = '/api/user/suite-runs/:id';
const ofSuite = { notFoundMessage: 'Suite not found' };
const ofRun = { notFoundMessage: 'Run not found' };
const writtenSuite = written(suiteDetail).meta({ id: 'SuiteWritten' });
const writtenRun = written(suiteRun).meta({ id: 'SuiteRunWritten' });

/** The endpoints of suites. */
export const suites = c.router({
  list: {
    method: 'GET',
    path: LIST_PATH,
    summary: 'List your suites of simulated callers',
    responses: { 200: z.array(suite) },
    metadata: metadata({ scope: 'read' }),
  },
  create: {
    method: 'POST',
    path: LIST_PATH,
    summary: 'Store a suite of simulated callers',
    body: newSuiteBody,
    responses: { 201: writtenSuite, ...bodyErrors },
    metadata: metadata({ scope: 'write', maxBodyBytes: MAX_BODY_BYTES, maxBodyValues: MAX_VALUES }),
  },
  get: {
    method: 'GET',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Read a suite',
    responses: { 200: suiteDetail, ...singleErrors },
    metadata: metadata({ scope: 'read', ...ofSuite }),
  },
  update: {
    method: 'PUT',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Change a suite; runs keep the text with which they started',
    body: suiteChangesBody,
    responses: { 200: writtenSuite, ...bodyErrors, ...singleErrors },
    metadata: metadata({
      scope: 'write',
      maxBodyBytes: MAX_BODY_BYTES,
      maxBodyValues: MAX_VALUES,
      ...ofSuite,
    }),
  },
  remove: {
    method: 'DELETE',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Delete a suite; the results of its runs stay',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', ...ofSuite }),
  },
  start: {
    method: 'POST',
    path: RUNS_PATH,
    pathParams: idParameter,
    summary: 'Run a suite',
    body: newSuiteRunBody,
    responses: { 201: writtenRun, ...bodyErrors, ...singleErrors },
    // Tokens with limits have no scope `write`. Suites with calls require the scope `call` as well.
    metadata: metadata({ scope: 'write', ...ofSuite }),
  },
});

/** The endpoints of runs and their conversations. */
export const suiteRuns = c.router({
  list: {
    method: 'GET',
    path: '/api/user/suite-runs',
    summary: 'List the runs of your suites, newest first',
    query: z.object({ suite_id: optionalQuery(integer()) }),
    responses: { 200: z.array(suiteRun), ...queryErrors },
    metadata: metadata({ scope: 'read' }),
  },
  get: {
    method: 'GET',
    path: RUN_PATH,
    pathParams: idParameter,
    summary: 'Read the progress and the results of a run',
    responses: { 200: suiteRunDetail, ...singleErrors },
    metadata: metadata({ scope: 'read', ...ofRun }),
  },
  cancel: {
    method: 'POST',
    path: '/api/user/suite-runs/:id/cancel',
    pathParams: idParameter,
    summary: 'Cancel a run; its calls are hung up',
    body: z.object({}),
    responses: { 200: writtenRun, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', isRepeatable: true, ...ofRun }),
  },
  remove: {
    method: 'DELETE',
    path: RUN_PATH,
    pathParams: idParameter,
    summary: 'Delete a run that is over, with its conversations',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', ...ofRun }),
  },
  compare: {
    method: 'GET',
    path: '/api/user/suite-runs/:id/comparison',
    pathParams: idParameter,
    summary: 'Compare a run with an earlier one, caller by caller',
    query: z.object({ before_run_id: optionalQuery(integer()) }),
    responses: { 200: comparison, ...queryErrors, ...singleErrors },
    metadata: metadata({ scope: 'read', ...ofRun }),
  },
  conversation: {
    method: 'GET',
    path: '/api/user/suite-conversations/:id',
    pathParams: idParameter,
    summary: 'Read a conversation of a run',
    responses: { 200: suiteConversation, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: 'Conversation not found' }),
  },
  replay: {
    method: 'POST',
    path: '/api/user/calls/:id/replays',
    pathParams: idParameter,
    summary: 'Say what the caller of a call said again, in text, to an assistant of today',
    body: newReplayBody,
    responses: { 201: writtenRun, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', notFoundMessage: 'Call not found' }),
  },
});
