/**
 * Stores the answers to webhooks, and decides whether and when each delivery is sent again. SQL that writes many in one
 * statement: at hundreds of deliveries a second, commits would dominate the cost.
 */
import { statement, type DeliveryTarget, type Tx } from '@parley/db';
import type { GuardedOutcome } from '@parley/runtime/guarded-http';
import { now, type CoreContext } from '../context.ts';
import type { DueDelivery } from './claim-deliveries.ts';
import {
  disableDeliveries,
  disableEndpointDeliveries,
  disableLimitDeliveries,
  storeAttempts,
  type AttemptFacts,
  type RecordedAttempt,
} from '../outbox/delivery-state.ts';
import { assistantTargets, type AssistantTarget } from '../outbox/webhook-targets.rules.ts';
import { storedAnswer, type StoredAnswer } from '../shared/stored-answer.ts';
import { decideRetry } from './webhook-retry.rules.ts';

/** A request and its answer. */
export interface DeliveryAttempt {
  /** The delivery in the state of its claim. */
  delivery: DueDelivery;
  at: Date;
  durationMs: number;
  outcome: GuardedOutcome;
}

/** Only if the webhook still has the address that answered 410. */
const switchWebhookOff = statement<{ id: number }>(
  'switch_webhook_off',
  `update assistants set
     is_webhook_active = is_webhook_active and $2 <> 'post-call',
     inbound_webhook_url = case when $2 = 'inbound' then null else inbound_webhook_url end,
     conversation_ended_webhook_url = case when $2 <> 'conversation' then conversation_ended_webhook_url end,
     updated_at = $4
   where id = $1 and case $2 when 'inbound' then inbound_webhook_url = $3
                             when 'conversation' then conversation_ended_webhook_url = $3
                             else is_webhook_active and webhook_url = $3 end
   returning id`,
);

const forgetLimitWebhook = statement<{ id: number }>(
  'forget_limit_webhook',
  `update users set limit_webhook_url = null where id = $1 and limit_webhook_url = $2 returning id`,
);

const switchEndpointOff = statement<{ id: number }>(
  'switch_endpoint_off',
  `update webhook_endpoints set is_enabled = false, updated_at = $3
   where id = $1 and url = $2 and is_enabled returning id`,
);

/**
 * @param claimer - the name under which the deliveries were claimed
 * @returns the attempts that were stored
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

/** The same as a part of a larger transaction. */
export async function recordIn(
  ctx: CoreContext,
  tx: Tx,
  { claimer, attempts }: { claimer: string; attempts: readonly DeliveryAttempt[] },
): Promise<RecordedAttempt[]> {
  const facts = attempts.map((attempt) => factsOf(attempt));
  const changed = await storeAttempts(tx, claimer, { facts, at: now(ctx) });
  const counted = new Set(changed.map(({ id }) => id));
  for (const { delivery, outcome } of attempts)
    if (counted.has(delivery.id) && isGone(delivery, outcome)) await switchOff(ctx, tx, delivery);
  return changed;
}

function factsOf({ delivery, at, durationMs, outcome }: DeliveryAttempt): AttemptFacts {
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

/** The record of the call shows the last answer to its post-call webhook. */
function shownOnCall({ httpStatus: status, body, error }: StoredAnswer): Record<string, unknown> {
  return { status, body, ...(error !== null && { error }) };
}

function isGone({ event }: DueDelivery, outcome: GuardedOutcome): boolean {
  if (!('status' in outcome)) return false;
  return decideRetry({ event, number: 1, httpStatus: outcome.status }, 0).status === 'disabled';
}

/** Switches a webhook off whose receiver answered 410, and disables its pending deliveries. */
async function switchOff(ctx: CoreContext, tx: Tx, delivery: DueDelivery): Promise<void> {
  const { userId, assistantId, endpointId, target, url } = delivery;
  if (endpointId !== null) {
    const [changed] = await tx.query(switchEndpointOff, [endpointId, url, now(ctx)]);
    if (changed) await disableEndpointDeliveries(ctx, tx, { userId, id: endpointId });
    return;
  }
  if (!isOfAssistant(target)) {
    const [changed] = await tx.query(forgetLimitWebhook, [userId, url]);
    if (changed) await disableLimitDeliveries(ctx, tx, userId);
    return;
  }
  const [changed] = await tx.query(switchWebhookOff, [assistantId, target, url, now(ctx)]);
  if (changed) await disableDeliveries(ctx, tx, { assistantId: changed.id, targets: [target] });
}

function isOfAssistant(target: DeliveryTarget): target is AssistantTarget {
  return (assistantTargets as readonly string[]).includes(target);
}
