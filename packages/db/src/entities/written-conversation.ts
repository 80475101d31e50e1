/** Written conversations of customers with assistants, which the server keeps, and their messages. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { document, generatedId, instant, looseId, optionalInstant, owner } from './columns.ts';

export const WrittenConversation = defineEntity({
  name: 'WrittenConversation',
  tableName: 'written_conversations',
  indexes: [
    { name: 'written_conversations_user_id_id_index', properties: ['userId', 'id'] },
    {
      name: 'written_conversations_phone_index',
      properties: ['userId', 'customerPhoneNumber'],
      where: 'customer_phone_number is not null',
    },
    { name: 'written_conversations_assistant_index', properties: ['userId', 'assistantId', 'id'] },
    {
      name: 'written_conversations_inactive_index',
      properties: ['inactiveAt'],
      where: 'ended_at is null',
    },
    { name: 'written_conversations_open_index', properties: ['userId'], where: 'ended_at is null' },
  ],
  uniques: [
    {
      // A customer has one conversation with an assistant; the index decides between concurrent first messages.
      name: 'written_conversations_customer_unique',
      properties: ['userId', 'customerIdentifier', 'assistantId'],
      where: 'customer_identifier is not null',
    },
  ],
  properties: {
    id: generatedId(),
    /** The id in the API. */
    uuid: p.uuid().unique(),
    userId: owner,
    /** Without a foreign key, like that of calls. */
    assistantId: looseId(),
    /** `api`: begun by a message with a customer identifier. */
    type: p.enum(['widget', 'test', 'api']),
    /** How the owner's software calls the customer; only of the type `api`. */
    customerIdentifier: p.text().strictNullable(),
    /** E.164; null where the identifier is no phone number. */
    customerPhoneNumber: p.text().strictNullable(),
    /** What the owner's software says about the customer. */
    variables: document<Record<string, unknown>>(),
    /** What a scripted dialogue has stored. */
    collected: document<Record<string, unknown>>(),
    /** False: messages are stored and not answered. */
    isAiEnabled: p.boolean(),
    /** The request that may store the reply in preparation, and the time until which no other request may begin one. */
    replyLease: p.uuid().strictNullable(),
    replyLeaseUntil: optionalInstant(),
    /** Null before the first message of the customer. */
    lastMessageAt: optionalInstant(),
    /** When it ends by inactivity. */
    inactiveAt: instant(),
    /** Null while it is open. */
    endedAt: optionalInstant(),
    endedReason: p.enum(['assistant_ended', 'inactivity', 'person_ended']).strictNullable(),
    /** When the webhook of its end was written to the outbox for the last time. */
    endReportedAt: optionalInstant(),
    /** The sum of the known costs of all replies. */
    totalCost: p.decimal('number').columnType('numeric(12,6)').default(0),
    areCostsComplete: p.boolean().default(true),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

export const WrittenMessage = defineEntity({
  name: 'WrittenMessage',
  tableName: 'written_messages',
  indexes: [{ name: 'written_messages_conversation_id_id_index', properties: ['conversationId', 'id'] }],
  uniques: [
    {
      name: 'written_messages_answered_unique',
      properties: ['answeredId'],
      where: 'answered_id is not null',
    },
    {
      name: 'written_messages_request_unique',
      properties: ['conversationId', 'requestDigest'],
      where: 'request_digest is not null',
    },
  ],
  properties: {
    id: generatedId(),
    conversationId: () =>
      p.manyToOne(WrittenConversation).mapToPk().joinColumn('conversation_id').deleteRule('cascade'),
    role: p.enum(['user', 'assistant']),
    content: p.text(),
    /**
     * For a message of an assistant: the message of the customer that it answers, which has one answer at most. Null:
     * the opening.
     */
    answeredId: looseId().strictNullable(),
    /** For a message of a customer: the digest of the token and the `Idempotency-Key` of the request. */
    requestDigest: p.text().strictNullable(),
    createdAt: instant(),
  },
});

/** A row of {@link WrittenConversation}. */
export type WrittenConversationRow = InferEntity<typeof WrittenConversation>;
/** A row of {@link WrittenMessage}. */
export type WrittenMessageRow = InferEntity<typeof WrittenMessage>;
