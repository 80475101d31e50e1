/** Starts the run of a suite, or the repetition of a recorded call. Workers hold the conversations. */
import { errorText, type NewSuiteRun, type SuiteRunRecord } from '@parley/contracts';
import { Assistant, statement, Suite, SuiteRun, type SuiteRunRow, type Transaction } from '@parley/db';
import {
  assistantsOf,
  conversationOf,
  idsOfAssistants,
  MAX_TURNS,
  replayScript,
  requiredRuns,
  SuiteError,
} from '@parley/suites';
import { findCall } from '../calls/find-call.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { checkSuite, invalidSuite, type CheckedSuite } from './check-suite.ts';
import { MAX_RUNS } from './list-runs.ts';
import { runRecord } from './suite-record.ts';
import { suiteNotFound } from './suites.ts';

/** Concurrent runs of one user. */
const MAX_RUNNING = 3;
const MINUTE_MS = 60_000;
const REPLAY: NewSuiteRun = { parallel: 1, max_cost: null, max_minutes: 30 };

/** SQL, because the row of the user serialises starts. */
const lockUser = statement<{ running: number }>(
  'lock_user_of_suite_run',
  `select (select count(*) from suite_runs r where r.user_id = u.id and r.status = 'running') as running
   from users u where u.id = $1 for no key update`,
);
const selectAssistants = statement<{ id: number; name: string }>(
  'assistants_of_suite',
  `select id, name from assistants where user_id = $1 and deleted_at is null and (id = any($2) or name = any($3))`,
);
const keepSuite = statement<{ id: number }>(
  'keep_suite_of_run',
  'select id from suites where id = $1 for share',
);
const keepCall = statement<{ id: number }>(
  'keep_replayed_call',
  `select id from calls where id = $1 and turns <> '[]' for share`,
);
const insertConversations = statement(
  'insert_suite_conversations',
  `insert into suite_conversations (run_id, position, number, mode, state, attempt, failures)
   select $1, c.position, n, c.mode, 'waiting', 0, '[]'
   from unnest($2::int[], $3::text[], $4::int[]) as c (position, mode, runs), generate_series(1, c.runs) as n`,
);
const deleteOldRuns = statement(
  'delete_old_suite_runs',
  `delete from suite_runs where user_id = $1 and status <> 'running'
     and id <= (select id from suite_runs where user_id = $1 order by id desc offset ${MAX_RUNS} limit 1)`,
);

/**
 * @throws DomainError `not-found`; `invalid` for a suite that names an assistant that does not exist; `conflict` while too many
 *   runs are in progress; `forbidden` for a suite with calls and a token without the scope `call`
 */
export async function startSuiteRun(
  ctx: CoreContext,
  identity: Identity,
  { suiteId, limits }: { suiteId: number; limits: NewSuiteRun },
): Promise<SuiteRunRecord> {
  const suite = await ctx.db.em.findOne(Suite, { id: suiteId, userId: identity.userId });
  if (!suite) throw suiteNotFound();
  const { name, definition } = suite;
  const checked = await checkSuite(ctx, identity, definition);
  const run = { suiteId, name, definition };
  return ctx.db.transaction(async (tx) => {
    const record = await insertRun(ctx, tx, { identity, limits, checked, run });
    // It may have been deleted meanwhile.
    const [kept] = await tx.query(keepSuite, [suiteId]);
    if (!kept) throw suiteNotFound();
    return record;
  });
}

/**
 * Says what the caller of a call said again, in text and with the variables of the call. HTTP tools do not run, and nothing
 * is judged.
 *
 * @throws DomainError `not-found` for the call or the assistant; `invalid` for a call in which the caller said nothing; `conflict`
 */
export async function startReplay(
  ctx: CoreContext,
  identity: Identity,
  { callId, assistantId }: { callId: number; assistantId: number },
): Promise<SuiteRunRecord> {
  const call = await findCall(ctx, identity, callId);
  const owned = { id: assistantId, userId: identity.userId, deletedAt: null };
  if ((await ctx.db.em.count(Assistant, owned)) === 0)
    throw new DomainError('not-found', 'Assistant not found');
  const script = replayScript(conversationOf(call).turns);
  if (script.length === 0)
    throw new DomainError('invalid', errorText.invalidData, {
      fields: { id: ['The caller of this call said nothing.'] },
    });
  const caller = { name: `Call ${callId}`, variables: call.input_variables, script, max_turns: MAX_TURNS };
  const definition = JSON.stringify({ assistant: assistantId, callers: [caller] });
  const checked = await checkSuite(ctx, identity, definition);
  const run = { suiteId: null, replayedCallId: callId, name: `Replay of call ${callId}`, definition };
  return ctx.db.transaction(async (tx) => {
    const record = await insertRun(ctx, tx, { identity, limits: REPLAY, checked, run });
    // What was said may have been erased meanwhile; from here on, erasing it finds the replay.
    const [kept] = await tx.query(keepCall, [callId]);
    if (!kept) throw new DomainError('not-found', 'Call not found');
    return record;
  });
}

interface RunToInsert {
  identity: Identity;
  limits: NewSuiteRun;
  checked: CheckedSuite;
  run: Pick<SuiteRunRow, 'suiteId' | 'name' | 'definition'> & { replayedCallId?: number };
}

async function insertRun(
  ctx: CoreContext,
  tx: Transaction,
  { identity, limits, checked, run }: RunToInsert,
): Promise<SuiteRunRecord> {
  const { userId, scopes } = identity;
  const { callers, conversations } = checked;
  if (callers.some(({ mode }) => mode === 'voice') && scopes !== 'all' && !scopes.includes('call'))
    throw new DomainError('forbidden', 'A suite with calls requires a token with the scope call.');
  const [user] = await tx.query(lockUser, [userId]);
  if ((user?.running ?? 0) >= MAX_RUNNING)
    throw new DomainError(
      'conflict',
      `An account has at most ${MAX_RUNNING} runs at a time. Wait, or cancel one.`,
    );
  const at = now(ctx);
  const row = tx.em.create(SuiteRun, {
    userId,
    replayedCallId: null,
    ...run,
    callers: callers.map((caller) => ({
      name: caller.name,
      mode: caller.mode,
      assistant: String(caller.assistant),
      runs: caller.runs,
      required: requiredRuns(caller),
    })),
    assistants: await findAssistants(tx, userId, checked),
    status: 'running',
    error: null,
    parallel: limits.parallel,
    maxCost: limits.max_cost,
    runUntil: new Date(at.getTime() + limits.max_minutes * MINUTE_MS),
    createdAt: at,
    finishedAt: null,
  });
  await tx.em.flush();
  await tx.query(insertConversations, [
    row.id,
    callers.map((_, position) => position),
    callers.map(({ mode }) => mode),
    callers.map(({ runs }) => runs),
  ]);
  await tx.query(deleteOldRuns, [userId]);
  return runRecord({ ...row, conversations, done: 0, failed: 0, cost: 0 });
}

async function findAssistants(
  tx: Transaction,
  userId: number,
  { suite }: CheckedSuite,
): Promise<[string | number, number][]> {
  const names = assistantsOf(suite);
  const found = await tx.query(selectAssistants, [
    userId,
    [...names].filter((name) => typeof name === 'number'),
    [...names].filter((name) => typeof name === 'string'),
  ]);
  try {
    return [...idsOfAssistants(found, names)];
  } catch (error) {
    if (error instanceof SuiteError) throw invalidSuite([error.message]);
    throw error;
  }
}
