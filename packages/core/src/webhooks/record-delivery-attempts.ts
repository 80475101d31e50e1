/**
 * Stores the answers to webhooks, and decides whether and when each delivery is sent again. SQL that writes many in one
 * statement: at hundreds of deliveries a second, commits would dominate the cost.
 */
import { json, statement, type DeliveryRow, type Tx } from '@parley/db';
import type { GuardedOutcome } from '@parley/runtime/guarded-http';
import { now, type CoreContext } from '../context.ts';
import type { DueDelivery } from './claim-deliveries.ts';
import { disableDeliveries } from './disable-deliveries.ts';
import { storedAnswer, type StoredAnswer } from './stored-answer.ts';
import { decideRetry } from './webhook-retry.rules.ts';

/** One request that was made. */
export interface DeliveryAttempt {
  /** As it was claimed. */
  delivery: DueDelivery;
  at: Date;
  durationMs: number;
  outcome: GuardedOutcome;
}

/** Where a delivery stands after its attempt. */
export interface RecordedAttempt extends Pick<DeliveryRow, 'id' | 'status' | 'attemptCount'> {}

/**
 * Only what is still claimed by this worker counts, and only as the attempt that was to be made: a report that comes
 * twice, or after the worker was taken for dead, changes nothing. What was switched off meanwhile is logged and ends.
 */
const recordAttempts = statement<RecordedAttempt>(
  'record_delivery_attempts',
  `with given as materialized (
     select * from jsonb_to_recordset($1) as g (id uuid, attempt int, at timestamptz, "durationMs" int,
       "httpStatus" int, headers jsonb, body text, error text, status text, reason text, "nextAttemptAt" timestamptz,
       shown jsonb)
   ), changed as (
     update deliveries d set attempt_count = g.attempt, claimed_by = null, claimed_at = null,
       status = case when g.status = 'pending' and d.reason is not null then 'disabled' else g.status end,
       stage = case when g.status = 'pending' and d.reason is null then 'waiting' end,
       next_attempt_at = case when d.reason is null then g."nextAttemptAt" end,
       settled_at = case when g.status = 'pending' and d.reason is null then null else $3::timestamptz end,
       reason = case when g.status = 'delivered' then null else coalesce(d.reason, g.reason) end
     from given g
     where d.id = g.id and d.claimed_by = $2 and d.attempt_count + 1 = g.attempt
     returning d.id, d.status, d.attempt_count, d.call_id, d.call_created_at, d.target
   ), logged as (
     insert into delivery_attempts (delivery_id, number, at, status, response_headers, response_body, error, duration_ms)
     select g.id, g.attempt, g.at, g."httpStatus", g.headers, g.body, g.error, g."durationMs"
     from given g join changed using (id)
   ), answered as (
     update calls c set webhook_response = g.shown, changed_at = clock_timestamp()
     from given g join changed d using (id)
     where d.target = 'post-call' and c.id = d.call_id and c.created_at = d.call_created_at
   )
   select id, status, attempt_count from changed`,
);
/** Only while the address is still the one that answered 410. */
const switchWebhookOff = statement<{ id: number }>(
  'switch_webhook_off',
  `update assistants set
     is_webhook_active = is_webhook_active and $2 <> 'post-call',
     inbound_webhook_url = case when $2 = 'inbound' then null else inbound_webhook_url end,
     updated_at = $4
   where id = $1 and case $2 when 'inbound' then inbound_webhook_url = $3
                             else is_webhook_active and webhook_url = $3 end
   returning id`,
);

/**
 * @param claimer - whose claims these are
 * @returns those that counted
 */
export async function recordDeliveryAttempts(
  ctx: CoreContext,
  claimer: string,
  attempts: readonly DeliveryAttempt[],
): Promise<RecordedAttempt[]> {
  const recorded = await ctx.db.transaction((tx) => recordIn(ctx, tx, { claimer, attempts }));
  for (const { id: deliveryId, status, attemptCount: attempt } of recorded)
    ctx.log.info({ deliveryId, attempt, status }, 'A webhook was attempted');
  return recorded;
}

/** The same as part of a larger transaction. */
export async function recordIn(
  ctx: CoreContext,
  tx: Tx,
  { claimer, attempts }: { claimer: string; attempts: readonly DeliveryAttempt[] },
): Promise<RecordedAttempt[]> {
  const facts = json(attempts.map((attempt) => factsOf(attempt)));
  const changed = await tx.query(recordAttempts, [facts, claimer, now(ctx)]);
  const counted = new Set(changed.map(({ id }) => id));
  for (const { delivery, outcome } of attempts)
    if (counted.has(delivery.id) && isGone(delivery, outcome)) await switchOff(ctx, tx, delivery);
  return changed;
}

function factsOf({ delivery, at, durationMs, outcome }: DeliveryAttempt): Record<string, unknown> {
  const { id, event, attemptCount, scheduleStart } = delivery;
  const answer = storedAnswer(outcome);
  const number = attemptCount + 1 - scheduleStart;
  const decision = decideRetry({ event, number, httpStatus: answer.httpStatus }, Math.random());
  return {
    ...answer,
    id,
    attempt: attemptCount + 1,
    at,
    durationMs,
    status: decision.status,
    reason: 'reason' in decision ? decision.reason : null,
    nextAttemptAt: 'waitMs' in decision ? new Date(at.getTime() + decision.waitMs) : null,
    shown: shownOnCall(answer),
  };
}

/** The call's record shows the last answer to its post-call webhook. */
function shownOnCall({ httpStatus: status, body, error }: StoredAnswer): Record<string, unknown> {
  return { status, body, ...(error !== null && { error }) };
}

function isGone({ event }: DueDelivery, outcome: GuardedOutcome): boolean {
  if (!('status' in outcome)) return false;
  return decideRetry({ event, number: 1, httpStatus: outcome.status }, 0).status === 'disabled';
}

/** Nothing that waits for the same address is sent any more. */
async function switchOff(ctx: CoreContext, tx: Tx, delivery: DueDelivery): Promise<void> {
  const { assistantId, target, url } = delivery;
  const [changed] = await tx.query(switchWebhookOff, [assistantId, target, url, now(ctx)]);
  if (changed) await disableDeliveries(ctx, tx, { assistantId, target });
}
