/**
 * Transactions that must not wait for a frozen process. A process that is stopped in the middle of a transaction keeps
 * its locks until Postgres ends its session, after 30 s. docs/decisions/frozen-processes.md
 */
import { statement, type Transaction } from '@parley/db';
import { BackgroundWork } from '@parley/runtime';
import type { CoreContext } from '../context.ts';

/** How long a transaction may hold a lock without sending a statement. A process that works needs some milliseconds. */
const IDLE_LIMIT_MS = 500;
const CHECK_EVERY_MS = 100;

const findOwnSession = statement<{ pid: number }>('own_session', 'select pg_backend_pid() as pid');
/**
 * Sessions that wait for a lock themselves are left alone; the sessions that block them are ended. The function that ends
 * a session stands in the last `select`: as a condition it could be evaluated before the join, for other sessions.
 */
const endIdleBlockers = statement<{ isEnded: boolean }>(
  'end_idle_blockers',
  `with recursive blockers as (
     select unnest(pg_blocking_pids($1)) as pid
     union select unnest(pg_blocking_pids(b.pid)) from blockers b
   ), idle as materialized (
     select a.pid from blockers b join pg_stat_activity a on a.pid = b.pid
     where a.state like 'idle in transaction%'
       and a.state_change < clock_timestamp() - $2 * interval '1 millisecond'
   )
   select pg_terminate_backend(pid) as is_ended from idle`,
);

/**
 * Runs `work` in one transaction. A session that blocks it and has been idle in its own transaction for half a second is
 * ended: its transaction is rolled back, and its process sees a lost connection if it continues.
 */
export async function pastFrozenProcesses<Result>(
  ctx: CoreContext,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return ctx.db.transaction(async (tx) => {
    const [session] = await tx.query(findOwnSession);
    const stop = watch(ctx, session?.pid ?? 0);
    try {
      return await work(tx);
    } finally {
      await stop();
    }
  });
}

/** @returns what ends the checks: the session may run other transactions afterwards */
function watch(ctx: CoreContext, pid: number): () => Promise<void> {
  const background = new BackgroundWork(ctx.log);
  let isOver = false;
  let timer = ctx.clock.after(CHECK_EVERY_MS, begin);
  function begin(): void {
    background.start('end the sessions of frozen processes', async () => {
      const ended = await ctx.db.query(endIdleBlockers, [pid, IDLE_LIMIT_MS]);
      if (ended.length > 0)
        ctx.log.warn(
          { sessions: ended.length },
          'Sessions of a frozen process were ended, because they held locks',
        );
      if (!isOver) timer = ctx.clock.after(CHECK_EVERY_MS, begin);
    });
  }
  return async () => {
    isOver = true;
    timer.cancel();
    await background.settled();
  };
}
