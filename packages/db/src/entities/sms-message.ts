/** Text messages that users have sent through accounts at carriers. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId, instant, looseId, owner } from './columns.ts';

export const SmsMessage = defineEntity({
  name: 'SmsMessage',
  tableName: 'sms_messages',
  indexes: [{ name: 'sms_messages_user_id_created_at_index', properties: ['userId', 'createdAt'] }],
  properties: {
    id: generatedId(),
    userId: owner,
    carrierAccountId: looseId(),
    phoneNumberId: looseId(),
    /** E.164. */
    fromNumber: p.text(),
    toNumber: p.text(),
    body: p.text(),
    /** See `sms-state.rules.ts` of core. */
    status: p.enum(['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'unknown']),
    /** The carrier's id of the message. Null: the carrier has not confirmed it. */
    carrierRef: p.text().strictNullable(),
    /** How many messages of the network it takes; null: not known yet. */
    segments: p.integer().strictNullable(),
    /** What the carrier charges; null: not known yet. */
    cost: p.decimal('number').columnType('numeric(12,6)').strictNullable(),
    /** ISO 4217. */
    currency: p.text().strictNullable(),
    /** Why it was not delivered, as a sentence. */
    error: p.text().strictNullable(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

/** A row of {@link SmsMessage}. */
export type SmsMessageRow = InferEntity<typeof SmsMessage>;
