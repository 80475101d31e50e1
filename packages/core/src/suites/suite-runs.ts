/** The runs of a user: their results, their end, and their comparison. */
import {
  errorText,
  type SuiteComparison,
  type SuiteConversationRecord,
  type SuiteRunDetail,
  type SuiteRunRecord,
} from '@parley/contracts';
import { statement, SuiteConversation, SuiteRun, type SuiteRunRow, type Tx } from '@parley/db';
import { besideRecording, conversationOf, type Conversation } from '@parley/suites';
import { findCall } from '../calls/find-call.ts';
import { now, type CoreContext } from '../context.ts';
import { requestHangUp } from '../lifecycle/request-hang-up.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { compareRuns } from './compare-runs.rules.ts';
import { COUNTED, RUN_COLUMNS } from './list-runs.ts';
import { endRun, lockSuiteRun } from './run-state.ts';
import {
  conversationRecord,
  runDetail,
  runRecord,
  type ConversationFacts,
  type RunFacts,
} from './suite-record.ts';

/** SQL, because conversations are counted and large columns left out. */
const selectRun = statement<RunFacts & Pick<SuiteRunRow, 'callers'>>(
  'find_suite_run',
  `select ${RUN_COLUMNS}, r.callers from suite_runs r ${COUNTED} where r.id = $1 and r.user_id = $2`,
);
const selectConversations = statement<ConversationFacts>(
  'conversations_of_suite_run',
  `select id, position, number, mode, state, call_id, failures, turns, latency_p95, duration_ms, cost
   from suite_conversations where run_id = $1 order by position, number`,
);
const selectEarlier = statement<{ id: number }>(
  'earlier_suite_run',
  'select id from suite_runs where suite_id = $1 and id < $2 order by id desc limit 1',
);
const deleteRun = statement('delete_suite_run', 'delete from suite_runs where id = $1');

/** @throws DomainError `not-found`, also when it has another owner */
export async function findSuiteRun(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<SuiteRunDetail> {
  const run = await loadRun(ctx.db, identity, id);
  return runDetail(run, await ctx.db.query(selectConversations, [id]));
}

async function loadRun(
  tx: Tx,
  { userId }: Identity,
  id: number,
): Promise<RunFacts & Pick<SuiteRunRow, 'callers'>> {
  const [run] = await tx.query(selectRun, [id, userId]);
  if (!run) throw runNotFound();
  return run;
}

/** May be repeated; a run that is over stays as it is. @throws DomainError `not-found` */
export async function cancelSuiteRun(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<SuiteRunRecord> {
  const calls = await ctx.db.transaction(async (tx) => {
    const run = await lockSuiteRun(tx, id);
    if (run?.userId !== identity.userId) throw runNotFound();
    return endRun(tx, run, { status: 'cancelled', error: null, at: now(ctx) });
  });
  await hangUpSuiteCalls(ctx, identity, calls);
  return runRecord(await loadRun(ctx.db, identity, id));
}

/** Calls that are over stay as they are. */
export async function hangUpSuiteCalls(
  ctx: CoreContext,
  identity: Identity,
  callIds: readonly number[],
): Promise<void> {
  for (const callId of callIds) {
    try {
      await requestHangUp(ctx, identity, callId);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
}

/** @throws DomainError `not-found`; `conflict` while it is running */
export async function deleteSuiteRun(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const run = await lockSuiteRun(tx, id);
    if (run?.userId !== identity.userId) throw runNotFound();
    if (run.status === 'running')
      throw new DomainError('conflict', 'The run is in progress. Cancel it first.');
    await tx.query(deleteRun, [id]);
  });
}

async function findEarlier(tx: Tx, { id, suite_id: suiteId }: SuiteRunDetail): Promise<number | null> {
  const [earlier] = await tx.query(selectEarlier, [suiteId, id]);
  return earlier?.id ?? null;
}

/**
 * @param about - without `beforeRunId`, the run is compared with the one before it of the same suite
 * @throws DomainError `not-found` for each of the two; `invalid` when there is no earlier run
 */
export async function compareSuiteRuns(
  ctx: CoreContext,
  identity: Identity,
  { id, beforeRunId }: { id: number; beforeRunId?: number | undefined },
): Promise<SuiteComparison> {
  const after = await findSuiteRun(ctx, identity, id);
  const beforeId = beforeRunId ?? (await findEarlier(ctx.db, after));
  if (beforeId === null)
    throw new DomainError('invalid', errorText.invalidData, {
      fields: { before_run_id: ['There is no earlier run of this suite.'] },
    });
  const before = await findSuiteRun(ctx, identity, beforeId);
  return compareRuns(before, after);
}

/** With the turns of a recorded call beside those of its replay. @throws DomainError `not-found` */
export async function findSuiteConversation(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<SuiteConversationRecord> {
  const row = await ctx.db.em.findOne(SuiteConversation, { id });
  const run = row && (await ctx.db.em.findOne(SuiteRun, { id: row.runId, userId: identity.userId }));
  if (!row || !run) throw new DomainError('not-found', 'Conversation not found');
  const held = row.result as unknown as Conversation | null;
  const call = row.callId === null ? null : await unlessGone(findCall(ctx, identity, row.callId));
  const replayed =
    run.replayedCallId === null ? null : await unlessGone(findCall(ctx, identity, run.replayedCallId));
  return conversationRecord(row, {
    caller: run.callers[row.position],
    recordingUrl: call?.recording_url ?? null,
    replay: replayed && held && besideRecording(conversationOf(replayed).turns, held.turns),
  });
}

async function unlessGone<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return null;
    throw error;
  }
}

function runNotFound(): DomainError {
  return new DomainError('not-found', 'Run not found');
}
