/**
 * The only writer of the status and the stage of deliveries (`delivery-state.rules.ts`), together with the function
 * `parley_claim_deliveries`. A new delivery is `due`, or `sending` when its inserter makes the attempt itself.
 */
import { randomUUID } from 'node:crypto';
import type { EndpointPayload, LimitPayload } from '@parley/contracts';
import { json, statement, type DeliveryRow, type Tx } from '@parley/db';
import type { StoredCall } from '../calls/lock-call.ts';
import { now, type CoreContext } from '../context.ts';
import { originSql } from './receiver-origin.ts';
import type { AssistantTarget } from './webhook-targets.rules.ts';

/** A delivery to an address of an assistant, to be inserted. */
export interface NewDelivery extends Pick<DeliveryRow, 'event' | 'url' | 'payload' | 'userId'> {
  target: AssistantTarget;
  /** The call that it reports; null: none, and the caller makes sure that it is inserted once. */
  call: Pick<StoredCall, 'id' | 'createdAt'> | null;
  assistantId: number;
  at: Date;
  /** Default: any worker may claim it. Otherwise the claimer that has made the attempt. */
  claimedBy?: string;
  /** Default: a new one. */
  id?: string;
}

/** A report about a limit, for the user whom it concerns. */
export interface LimitReport {
  /** The account; null for a shared trunk, which concerns the operators. */
  userId: number | null;
  scope: string;
  payload: LimitPayload;
}

/** An event, for the webhook endpoints that subscribe to it. */
export interface EndpointReport {
  /** Whose endpoints; null: those of every operator. */
  userId: number | null;
  /** For the filters of endpoints. Null: the event passes every filter. */
  assistantId: number | null;
  campaignId: number | null;
  /** The call that the event belongs to. */
  callId: number | null;
  callCreatedAt: Date | null;
  payload: EndpointPayload;
}

/** The unique index allows one delivery per call, event and target, so that a repeated insertion does nothing. */
const insert = statement(
  'insert_delivery',
  `insert into deliveries (id, call_id, call_created_at, user_id, assistant_id, event, target, url, origin, payload,
     status, stage, claimed_by, claimed_at, next_attempt_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, ${originSql('$8')}, $9, 'pending',
     case when $11::text is null then 'due' else 'sending' end, $11, case when $11 is not null then $10::timestamptz end,
     $10, $10)
   on conflict (call_id, event, target) do nothing`,
);
/** To the account, or to every operator; only where an address is set. */
const insertOfLimits = statement<{ id: string }>(
  'insert_limit_deliveries',
  `insert into deliveries (id, user_id, event, target, url, origin, payload, status, stage, next_attempt_at, created_at)
   select gen_random_uuid(), u.id, g.payload->>'event', 'limit', u.limit_webhook_url, ${originSql('u.limit_webhook_url')},
     g.payload, 'pending', 'due', $2, $2
   from jsonb_to_recordset($1) as g ("userId" bigint, scope text, payload jsonb)
   join users u on u.limit_webhook_url is not null and u.disabled_at is null
     and (u.id = g."userId" or (g."userId" is null and g.scope = 'trunk' and u.role = 'operator'))
   returning id`,
);
/**
 * One delivery for each enabled endpoint whose events and filters match, by one look-up in their index, and a notification of
 * the workers if there is any; the name of its channel is an argument.
 */
const insertForEndpoints = statement<{ count: number }>(
  'insert_endpoint_deliveries',
  `with inserted as (
     insert into deliveries (id, call_id, call_created_at, user_id, endpoint_id, event, target, url, origin, payload,
       status, stage, next_attempt_at, created_at)
     select gen_random_uuid(), g."callId", g."callCreatedAt", e.user_id, e.id, g.payload->>'event', 'endpoint:' || e.id,
       e.url, ${originSql('e.url')}, g.payload, 'pending', 'due', $2, $2
     from jsonb_to_recordset($1) as g ("userId" bigint, "assistantId" bigint, "campaignId" bigint, "callId" bigint,
       "callCreatedAt" timestamptz, payload jsonb)
     join webhook_endpoints e on e.user_id = any(case when g."userId" is null
       then array(select id from users where role = 'operator' and disabled_at is null) else array[g."userId"] end)
     where e.is_enabled and e.events ? (g.payload->>'event')
       and (g."assistantId" is null
         or (e.assistant_ids = '[]' or e.assistant_ids @> to_jsonb(g."assistantId"))
         and (e.campaign_ids = '[]' or coalesce(e.campaign_ids @> to_jsonb(g."campaignId"), false)))
     on conflict (call_id, event, target) do nothing
     returning id
   )
   select count(pg_notify($3, '')) as count from inserted`,
);
/** A delivery that is being sent keeps its claim, so that its answer is logged; the reason prevents a retry. */
const disablePending = statement(
  'disable_pending_deliveries',
  `update deliveries set reason = 'switched_off',
     status = case when stage = 'sending' then 'pending' else 'disabled' end,
     stage = case when stage = 'sending' then 'sending' end,
     next_attempt_at = case when stage = 'sending' then next_attempt_at end,
     settled_at = case when stage = 'sending' then null else $3::timestamptz end
   where assistant_id = $1 and target = any($2::text[]) and status = 'pending'`,
);
const disablePendingOfLimits = statement(
  'disable_pending_limit_deliveries',
  `update deliveries set reason = 'switched_off',
     status = case when stage = 'sending' then 'pending' else 'disabled' end,
     stage = case when stage = 'sending' then 'sending' end,
     next_attempt_at = case when stage = 'sending' then next_attempt_at end,
     settled_at = case when stage = 'sending' then null else $2::timestamptz end
   where user_id = $1 and target = 'limit' and status = 'pending'`,
);
const disablePendingOfEndpoint = statement(
  'disable_pending_endpoint_deliveries',
  `update deliveries set reason = 'switched_off',
     status = case when stage = 'sending' then 'pending' else 'disabled' end,
     stage = case when stage = 'sending' then 'sending' end,
     next_attempt_at = case when stage = 'sending' then next_attempt_at end,
     settled_at = case when stage = 'sending' then null else $3::timestamptz end
   where user_id = $1 and endpoint_id = $2 and status = 'pending'`,
);
const movePendingOfEndpoint = statement(
  'move_pending_endpoint_deliveries',
  `update deliveries set url = $3, origin = ${originSql('$3')}
   where user_id = $1 and endpoint_id = $2 and status = 'pending' and stage <> 'sending'`,
);
const disableClaimed = statement(
  'disable_claimed_deliveries',
  `update deliveries set status = 'disabled', stage = null, reason = 'switched_off', claimed_by = null,
     claimed_at = null, next_attempt_at = null, settled_at = $3
   where id = any($1::uuid[]) and claimed_by = $2`,
);
/**
 * Only attempts that this claimer still holds count, and only the next one of each delivery: a report that is repeated,
 * or that comes after the claim was released, changes nothing. If the webhook was switched off during the attempt, the
 * attempt is logged and the delivery ends.
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
const renew = statement<{ id: string }>(
  'renew_deliveries',
  `update deliveries d set status = 'pending', stage = 'due', schedule_start = d.attempt_count, next_attempt_at = $3,
     url = renewed.url, origin = ${originSql('renewed.url')}, reason = null, settled_at = null
   from unnest($1::uuid[], $2::text[]) as renewed (id, url)
   where d.id = renewed.id and d.stage is distinct from 'sending' returning d.id`,
);

/** Does nothing if the same delivery exists already. */
export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<void> {
  const { call, userId, assistantId, event, target, url, payload, at, claimedBy, id } = delivery;
  await tx.query(insert, [
    id ?? randomUUID(),
    call?.id ?? null,
    call?.createdAt ?? null,
    userId,
    assistantId,
    event,
    target,
    url,
    json(payload),
    at,
    claimedBy ?? null,
  ]);
}

/**
 * The caller makes sure that each report is inserted once.
 *
 * @returns how many were inserted
 */
export async function insertLimitDeliveries(
  tx: Tx,
  reports: readonly LimitReport[],
  at: Date,
): Promise<number> {
  return (await tx.query(insertOfLimits, [json(reports), at])).length;
}

/**
 * One delivery for each webhook endpoint that subscribes to an event, and wakes the workers. The caller makes sure that each
 * event is inserted once.
 *
 * @returns how many were inserted
 */
export async function insertEndpointDeliveries(
  tx: Tx,
  reports: readonly EndpointReport[],
  { at, channel }: { at: Date; channel: string },
): Promise<number> {
  const [row] = await tx.query(insertForEndpoints, [json(reports), at, channel]);
  return row?.count ?? 0;
}

/**
 * Disables the pending deliveries of webhooks that were switched off. They stay disabled when a webhook is switched on
 * again, perhaps with another address, until the owner sends them again.
 */
export async function disableDeliveries(
  ctx: CoreContext,
  tx: Tx,
  { assistantId, targets }: { assistantId: number; targets: AssistantTarget[] },
): Promise<void> {
  if (targets.length > 0) await tx.query(disablePending, [assistantId, targets, now(ctx)]);
}

/** The same for a webhook endpoint that was switched off or deleted. */
export async function disableEndpointDeliveries(
  ctx: CoreContext,
  tx: Tx,
  { userId, id }: { userId: number; id: number },
): Promise<void> {
  await tx.query(disablePendingOfEndpoint, [userId, id, now(ctx)]);
}

/** The same for the reports about limits of a user. */
export async function disableLimitDeliveries(ctx: CoreContext, tx: Tx, userId: number): Promise<void> {
  await tx.query(disablePendingOfLimits, [userId, now(ctx)]);
}

/** Sends what waits for a webhook endpoint to its new address. */
export async function moveEndpointDeliveries(
  tx: Tx,
  { userId, id, url }: { userId: number; id: number; url: string },
): Promise<void> {
  await tx.query(movePendingOfEndpoint, [userId, id, url]);
}

/** Disables deliveries that a worker has claimed and whose webhook is switched off. */
export async function disableClaimedDeliveries(
  tx: Tx,
  claimer: string,
  { ids, at }: { ids: readonly string[]; at: Date },
): Promise<void> {
  if (ids.length > 0) await tx.query(disableClaimed, [ids, claimer, at]);
}

/** A delivery after its attempt. */
export interface RecordedAttempt extends Pick<DeliveryRow, 'id' | 'status' | 'attemptCount'> {}

/** An attempt with its answer, and the state that follows from it. */
export interface AttemptFacts extends Record<string, unknown> {
  id: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  status: DeliveryRow['status'];
  reason: string | null;
  nextAttemptAt: Date | null;
}

/** @returns the deliveries that the claimer still held */
export async function storeAttempts(
  tx: Tx,
  claimer: string,
  { facts, at }: { facts: readonly AttemptFacts[]; at: Date },
): Promise<RecordedAttempt[]> {
  return tx.query(recordAttempts, [json(facts), claimer, at]);
}

/**
 * Makes deliveries due again, from the beginning of the schedule, at their present address; not those that are being sent.
 *
 * @returns how many were changed
 */
export async function renewDeliveries(
  tx: Tx,
  deliveries: readonly { id: string; url: string }[],
  at: Date,
): Promise<number> {
  const ids = deliveries.map(({ id }) => id);
  const urls = deliveries.map(({ url }) => url);
  return (await tx.query(renew, [ids, urls, at])).length;
}

/**
 * SQL that releases the claims of workers that have stopped, for the liveness connection of the worker.
 *
 * @param claimers - SQL of a query for their names
 */
export function releaseClaimsSql(claimers: string): string {
  return `update deliveries set stage = 'due', claimed_by = null, claimed_at = null
    where stage = 'sending' and claimed_by in (${claimers})`;
}
