/** Written conversations as they are read. See docs/api.md, "Written conversations". */
import { z } from 'zod';
import { isoMicrosecondsField } from './dates.ts';
import { jsonObject } from './fields.ts';

/** `api`: begun by `POST /api/ai/generate-reply`. */
export const writtenConversationTypes = ['widget', 'test', 'api'] as const;
/** One of {@link writtenConversationTypes}. */
export type WrittenConversationType = (typeof writtenConversationTypes)[number];

/** Why a written conversation ends. `person_ended`: a person has ended it in the admin app. */
export const writtenEndReasons = ['assistant_ended', 'inactivity', 'person_ended'] as const;
/** One of {@link writtenEndReasons}. */
export type WrittenEndReason = (typeof writtenEndReasons)[number];

/** A message of the customer (`user`) or of the assistant. */
export const writtenMessageRecord = z
  .strictObject({
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    created_at: isoMicrosecondsField,
  })
  .meta({ id: 'WrittenMessage' });
/** A message as it is read. */
export type WrittenMessageRecord = z.output<typeof writtenMessageRecord>;

/** A conversation as it is listed. */
export const writtenConversationRecord = z.strictObject({
  /** A UUID. */
  id: z.uuid(),
  assistant_id: z.int(),
  assistant_name: z.string(),
  type: z.enum(writtenConversationTypes),
  status: z.enum(['open', 'ended']),
  /** The `customer_identifier`; null for conversations without one. */
  external_identifier: z.string().nullable(),
  /** E.164; null where the identifier is no phone number. */
  customer_phone: z.string().nullable(),
  variables: jsonObject,
  /** Stored messages of both sides. */
  message_count: z.int(),
  /** What all replies cost, as far as there are prices. */
  total_cost: z.number(),
  /** False: a part has no price, or its quantity is not known. */
  are_costs_complete: z.boolean(),
  /** False: messages are stored and not answered. */
  ai_enabled: z.boolean(),
  /** Null while it is open. */
  ended_reason: z.enum(writtenEndReasons).nullable(),
  ended_at: isoMicrosecondsField.nullable(),
  created_at: isoMicrosecondsField,
  updated_at: isoMicrosecondsField,
});
/** A conversation as it is listed. */
export type WrittenConversationRecord = z.output<typeof writtenConversationRecord>;

/** A conversation as the admin app lists it. */
export interface WrittenConversationSummary extends WrittenConversationRecord {
  /** The beginning of the newest message; null without messages. */
  last_message: string | null;
}

/** A conversation with its messages. */
export const writtenConversationDetails = writtenConversationRecord.extend({
  /** What a scripted dialogue has stored. */
  extracted_variables: jsonObject,
  /** Oldest first. */
  history: z.array(writtenMessageRecord),
});
/** A conversation with its messages. */
export type WrittenConversationDetails = z.output<typeof writtenConversationDetails>;

const { status: state } = writtenConversationRecord.shape;
/** As the API lists it. */
export const listedConversation = writtenConversationRecord
  .omit({ status: true })
  .extend({ state })
  .meta({ id: 'WrittenConversation' });
/** As the API returns it with its messages. Clients take every `status` but true for a failure. */
export const readConversation = writtenConversationDetails
  .extend({ state, status: z.literal(true) })
  .meta({ id: 'WrittenConversationDetails' });

/** A tool that the assistant used for a reply. */
export const writtenToolUse = z
  .strictObject({ name: z.string(), arguments: jsonObject, is_ok: z.boolean(), result: z.string() })
  .meta({ id: 'WrittenToolUse' });
