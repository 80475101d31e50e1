/**
 * Sends again all deliveries of a time range that failed or were disabled. The request counts them; a job resends them in
 * batches, in SQL. The job may run twice: it changes only deliveries that had ended before the request, so that one request
 * sends each of them once.
 */
import { statement, type SqlValue } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { enqueue, type JobPayload } from '../jobs/catalogue.ts';
import type { Identity } from '../users/identity.ts';
import { renewDeliveries } from '../outbox/delivery-state.ts';
import { wakeWebhooks } from '../outbox/wake-webhooks.ts';
import { CURRENT_URL, RECEIVER_JOINS } from '../outbox/webhook-switches.ts';

/** Which ones; payload of the job `resend_deliveries`. Days are inclusive, in the user's time zone. */
export type ResendRequest = JobPayload<'resend_deliveries'>;

/** Renewed in one transaction. */
const BATCH = 500;

/** Without deliveries whose webhook is off now. */
const CHOSEN = `from deliveries d ${RECEIVER_JOINS}
   where d.user_id = $1 and d.status = $3 and d.settled_at <= $7
     and d.created_at >= $4::date::timestamp at time zone $2
     and d.created_at < ($5::date + 1)::timestamp at time zone $2
     and ($6::text is null or d.event = $6)
     and a.deleted_at is null and ${CURRENT_URL} is not null`;

const countChosen = statement<{ count: number }>('count_to_resend', `select count(*) as count ${CHOSEN}`);
const lockChosen = statement<{ id: string; url: string }>(
  'lock_deliveries_to_resend',
  `select d.id, ${CURRENT_URL} as url ${CHOSEN} order by d.created_at limit ${BATCH} for update of d`,
);

/** @returns how many will be sent again */
export async function requestResend(
  ctx: CoreContext,
  identity: Identity,
  wanted: Omit<ResendRequest, 'userId' | 'timezone' | 'requestedAt'>,
): Promise<number> {
  const { userId, timezone } = identity;
  const request: ResendRequest = { ...wanted, userId, timezone, requestedAt: now(ctx).toISOString() };
  return ctx.db.transaction(async (tx) => {
    const [counted] = await tx.query(countChosen, boundTo(request));
    const count = counted?.count ?? 0;
    if (count > 0) await enqueue(tx, 'resend_deliveries', request);
    return count;
  });
}

/** @returns true while there may be more */
export async function resendBatch(ctx: CoreContext, request: ResendRequest): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const chosen = await tx.query(lockChosen, boundTo(request));
    if (chosen.length > 0) await wakeWebhooks(tx);
    await renewDeliveries(tx, chosen, now(ctx));
    return chosen.length === BATCH;
  });
}

function boundTo(request: ResendRequest): SqlValue[] {
  const { userId, timezone, status, dateFrom, dateTo, event, requestedAt } = request;
  return [userId, timezone, status, dateFrom, dateTo, event, requestedAt];
}
