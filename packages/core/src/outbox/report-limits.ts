/**
 * Reports limits of calls and costs that are nearly or wholly used up: a stored warning, a line in the log, and a webhook,
 * in one transaction. The key of the warning lets each threshold of each limit of a subject be reported once a day,
 * whichever process notices it first.
 */
import { isoMicroseconds, type LimitPayload } from '@parley/contracts';
import { json, statement, type Tx } from '@parley/db';
import { TODAY } from '../capacity/dial-limits-sql.ts';
import { addDial, readLimitedCosts } from '../capacity/dial-usage.ts';
import { warningsOf, type ScopeUsage, type UsageWarning } from '../capacity/dial-usage.rules.ts';
import { now, type CoreContext } from '../context.ts';
import { announceOfAccount } from './announce-events.ts';
import { insertLimitDeliveries } from './delivery-state.ts';
import { wakeWebhooks } from './wake-webhooks.ts';

interface NewWarning extends UsageWarning {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  /** The account; null for a shared trunk, and for a subject that no longer exists. */
  userId: number | null;
}

/** In the order of the key, so that two transactions that report the same limits do not deadlock. */
const insertWarnings = statement<NewWarning>(
  'warn_of_dial_limits',
  `insert into dial_warnings as w (scope, subject_id, day, measure, threshold_percent, used, max, reached_at)
   select g.scope, g."subjectId", ${TODAY}, g.measure, g."thresholdPercent", g.used, g.max, $2
   from jsonb_to_recordset($1) as g
     (scope text, "subjectId" bigint, measure text, "thresholdPercent" int, used numeric, max numeric)
   order by 1, 2, 3, 4, 5
   on conflict do nothing
   returning w.scope, w.subject_id, w.measure, w.threshold_percent, w.used, w.max, w.day::text as day,
     case w.scope when 'user' then w.subject_id
       when 'token' then (select t.user_id from api_tokens t where t.id = w.subject_id)
       else (select t.user_id from trunks t where t.id = w.subject_id) end as user_id`,
);

/** Counts a dial under the lock of its usages, and reports the limits that it reaches. */
export async function countDial(ctx: CoreContext, tx: Tx, usages: readonly ScopeUsage[]): Promise<void> {
  await addDial(tx, usages);
  await report(ctx, tx, warningsOf(usages, 1));
}

/** Reports limits of costs that calls have reached after their dial. Run every minute. */
export async function reportReachedCosts(ctx: CoreContext): Promise<void> {
  await ctx.db.transaction(async (tx) => report(ctx, tx, warningsOf(await readLimitedCosts(tx), 0)));
}

async function report(ctx: CoreContext, tx: Tx, reached: readonly UsageWarning[]): Promise<void> {
  if (reached.length === 0) return;
  const at = now(ctx);
  const warnings = await tx.query(insertWarnings, [json(reached), at]);
  if (warnings.length === 0) return;
  for (const { scope, subjectId, measure, thresholdPercent } of warnings)
    ctx.log.warn({ scope, subjectId, measure, thresholdPercent }, 'A limit of calls or costs is used up');
  const reports = warnings.map((warning) => ({
    userId: warning.userId,
    scope: warning.scope,
    payload: limitPayload(warning, at),
  }));
  if ((await insertLimitDeliveries(tx, reports, at)) > 0) await wakeWebhooks(tx);
  await announceOfAccount(
    tx,
    // There is nothing to report about a subject that no longer exists.
    reports.filter(({ userId, scope }) => userId !== null || scope === 'trunk'),
    at,
  );
}

/** Without names, because those of tokens and trunks may contain phone numbers. */
function limitPayload(warning: NewWarning, at: Date): LimitPayload {
  const { scope, subjectId, userId, measure, used, max, day, thresholdPercent } = warning;
  return {
    event: thresholdPercent < 100 ? 'limit.warning' : 'limit.reached',
    scope,
    scope_id: subjectId,
    user_id: userId,
    measure,
    used,
    limit: max,
    day,
    reached_at: isoMicroseconds(at),
  };
}
