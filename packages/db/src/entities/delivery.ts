/**
 * The outbox of webhooks, and every attempt to deliver them. A pending delivery has a stage: `waiting` until its next
 * attempt, `due` from then on, `sending` while a worker has claimed it. `claimed_by` is the name of the liveness lock of
 * that worker; only `parley_claim_deliveries` sets `sending`.
 */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant, looseId, optionalInstant } from './columns.ts';

/** The values of the column `target`. */
export type DeliveryTarget = 'post-call' | 'inbound' | 'conversation' | 'limit' | `endpoint:${number}`;

/** One webhook to deliver; its id is the `webhook-id` of every attempt. */
export const Delivery = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  uniques: [{ name: 'deliveries_call_event_target_unique', properties: ['callId', 'event', 'target'] }],
  indexes: [
    { name: 'deliveries_user_id_created_at_index', properties: ['userId', 'createdAt'] },
    { name: 'deliveries_pending_index', properties: ['assistantId'], where: `status = 'pending'` },
    { name: 'deliveries_waiting_index', properties: ['nextAttemptAt'], where: `stage = 'waiting'` },
    { name: 'deliveries_due_index', properties: ['origin', 'nextAttemptAt'], where: `stage = 'due'` },
    { name: 'deliveries_sending_index', properties: ['origin', 'claimedAt'], where: `stage = 'sending'` },
    { name: 'deliveries_by_status_index', properties: ['userId', 'status', 'createdAt'] },
    { name: 'deliveries_settled_at_index', properties: ['settledAt'], where: 'settled_at is not null' },
  ],
  checks: [
    {
      name: 'deliveries_stage_of_pending_check',
      expression: `(status = 'pending') = (stage is not null)`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    /** Null where the event belongs to no call. */
    callId: looseId().strictNullable(),
    callCreatedAt: optionalInstant(),
    userId: looseId(),
    /** Null for the target `limit` and those of endpoints. */
    assistantId: looseId().strictNullable(),
    /** The webhook endpoint that receives it. */
    endpointId: looseId().strictNullable(),
    event: p.text(),
    /**
     * Which address receives it: one of the three of the assistant, the user's for limits, or a webhook endpoint, whose id
     * is a part of it.
     */
    target: p.text().$type<DeliveryTarget>(),
    url: p.text(),
    /** Scheme, host and port of `url`, which identify a receiver for fair scheduling. */
    origin: p.text(),
    payload: p.json<Record<string, unknown>>(),
    status: p.enum(['pending', 'delivered', 'failed', 'disabled']),
    /** Null unless pending. */
    stage: p.enum(['waiting', 'due', 'sending']).strictNullable(),
    claimedBy: p.text().strictNullable(),
    claimedAt: optionalInstant(),
    attemptCount: p.integer().default(0),
    /** Attempts before the current retry schedule, which restarts when a delivery is resent. */
    scheduleStart: p.integer().default(0),
    nextAttemptAt: optionalInstant(),
    /** Why it failed permanently: `switched_off`, `gone`, `tries_used_up`. */
    reason: p.text().strictNullable(),
    /** When it was delivered or given up; null while pending. */
    settledAt: optionalInstant(),
    createdAt: instant(),
  },
});

export const DeliveryAttempt = defineEntity({
  name: 'DeliveryAttempt',
  tableName: 'delivery_attempts',
  properties: {
    deliveryId: () =>
      p.manyToOne(Delivery).mapToPk().joinColumn('delivery_id').deleteRule('cascade').primary(),
    /** 1 for the first. */
    number: p.integer().primary(),
    at: instant(),
    /** HTTP status; null when there was no answer. */
    status: p.integer().strictNullable(),
    responseHeaders: p.json<Record<string, string>>(),
    /** At most 64 KiB of the response. */
    responseBody: p.text(),
    /** A sentence for the operator; null after a response. */
    error: p.text().strictNullable(),
    durationMs: p.integer(),
  },
});

/** A row of {@link Delivery}. */
export type DeliveryRow = InferEntity<typeof Delivery>;
/** A row of {@link DeliveryAttempt}. */
export type DeliveryAttemptRow = InferEntity<typeof DeliveryAttempt>;
