/**
 * The end of a run: its last conversation is done, it was cancelled, its time is over, or its calls have cost too much. The only
 * writer of `suite_runs.status`. SQL, because workers and requests end the same run.
 */
import { statement, type SuiteRunRow, type Tx } from '@parley/db';

/** The row of a run serialises everything that changes its conversations. */
const lockRun = statement<Pick<SuiteRunRow, 'id' | 'userId' | 'status' | 'maxCost' | 'callers'>>(
  'lock_suite_run',
  'select id, user_id, status, max_cost, callers from suite_runs where id = $1 for update',
);
const finishRun = statement(
  'finish_suite_run',
  `update suite_runs set status = $2, error = $3, finished_at = $4 where id = $1 and status = 'running'`,
);
const skipRest = statement<{ callId: number | null }>(
  'skip_suite_conversations',
  `update suite_conversations set state = 'skipped', lease_until = null
   where run_id = $1 and state in ('waiting', 'running') returning call_id`,
);

/** A locked run. */
export type LockedRun = Pick<SuiteRunRow, 'id' | 'userId' | 'status' | 'maxCost' | 'callers'>;

/** @returns null for a run that does not exist */
export async function lockSuiteRun(tx: Tx, runId: number): Promise<LockedRun | null> {
  const [run] = await tx.query(lockRun, [runId]);
  return run ?? null;
}

/** How a run ends. */
export interface RunEnd {
  status: 'passed' | 'failed' | 'cancelled';
  /** Why conversations were not held; null: all were. */
  error: string | null;
  at: Date;
}

/**
 * Ends a locked run, once.
 *
 * @returns the calls of conversations that were still being held
 */
export async function endRun(tx: Tx, run: LockedRun, { status, error, at }: RunEnd): Promise<number[]> {
  if (run.status !== 'running') return [];
  await tx.query(finishRun, [run.id, status, error, at]);
  const skipped = await tx.query(skipRest, [run.id]);
  return skipped.flatMap(({ callId }) => callId ?? []);
}
