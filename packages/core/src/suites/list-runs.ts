/** Lists runs of suites. SQL, because conversations are counted and large columns left out. */
import type { SuiteRunRecord } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { runRecord, type RunFacts } from './suite-record.ts';

/** Finished runs of a user that are kept; older ones are deleted when a run starts. */
export const MAX_RUNS = 100;

/** The columns of {@link RunFacts}, of `suite_runs r`. */
export const RUN_COLUMNS = `r.id, r.user_id, r.suite_id, r.replayed_call_id, r.name, r.status, r.error, r.parallel, r.max_cost,
  r.run_until, r.created_at, r.finished_at, counted.conversations, counted.done, counted.failed, counted.cost`;
/** Counts the conversations of `r`. */
export const COUNTED = `cross join lateral (
  select count(*) as conversations, count(*) filter (where c.state = 'done') as done,
    count(*) filter (where c.state = 'done' and c.failures <> '[]') as failed,
    coalesce(sum(c.cost), 0)::numeric(12,6) as cost
  from suite_conversations c where c.run_id = r.id
) counted`;

const selectRuns = statement<RunFacts>(
  'list_suite_runs',
  `select ${RUN_COLUMNS} from suite_runs r ${COUNTED}
   where r.user_id = $1 and ($2::bigint is null or r.suite_id = $2) order by r.id desc limit ${MAX_RUNS + 10}`,
);
const selectLast = statement<RunFacts>(
  'last_runs_of_suites',
  `select ${RUN_COLUMNS} from unnest($1::bigint[]) as s (id)
   cross join lateral (
     select * from suite_runs one where one.suite_id = s.id order by one.id desc limit 1
   ) r ${COUNTED}`,
);

/** Newest first. A suite that does not exist has none. */
export async function listSuiteRuns(
  ctx: CoreContext,
  { userId }: Identity,
  { suiteId = null }: { suiteId?: number | null | undefined },
): Promise<SuiteRunRecord[]> {
  return (await ctx.db.query(selectRuns, [userId, suiteId])).map(runRecord);
}

/** The newest run of each suite that has one. */
export async function lastRunsOf(
  tx: Tx,
  suiteIds: readonly number[],
): Promise<ReadonlyMap<number, SuiteRunRecord>> {
  const rows = await tx.query(selectLast, [suiteIds]);
  return new Map(rows.map((row) => [row.suiteId ?? 0, runRecord(row)]));
}
