/** The outbox of webhooks, and every attempt to deliver them. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant, looseId, optionalInstant } from './columns.ts';

/** One webhook to deliver; its id is the `webhook-id` of every attempt. */
export const Delivery = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  uniques: [{ name: 'deliveries_call_event_target_unique', properties: ['callId', 'event', 'target'] }],
  indexes: [
    { name: 'deliveries_user_id_created_at_index', properties: ['userId', 'createdAt'] },
    { name: 'deliveries_pending_index', properties: ['assistantId'], where: `status = 'pending'` },
  ],
  properties: {
    id: p.uuid().primary(),
    callId: looseId(),
    callCreatedAt: instant(),
    userId: looseId(),
    assistantId: looseId(),
    event: p.text(),
    /** Which of the assistant's two addresses this goes to. */
    target: p.enum(['post-call', 'inbound']),
    url: p.text(),
    payload: p.json<Record<string, unknown>>(),
    status: p.enum(['pending', 'delivered', 'failed', 'disabled']),
    attemptCount: p.integer().default(0),
    nextAttemptAt: optionalInstant(),
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
    /** At most 64 KiB of it. */
    responseBody: p.text(),
    /** One sentence for the operator; null when an answer came. */
    error: p.text().strictNullable(),
    durationMs: p.integer(),
  },
});

/** A row of {@link Delivery}. */
export type DeliveryRow = InferEntity<typeof Delivery>;
/** A row of {@link DeliveryAttempt}. */
export type DeliveryAttemptRow = InferEntity<typeof DeliveryAttempt>;
