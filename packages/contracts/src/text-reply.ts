/** The reply of an assistant to written messages: request and answer, of the public API and of the contract with voice. */
import { z } from 'zod';
import { jsonObject, boolean, choice, list, requiredText, shape, variables } from './fields.ts';
import { wording } from './field-wording.ts';

/** Messages of a request for a reply. */
export const MAX_WRITTEN_MESSAGES = 100;
/** Characters of a message. */
export const MAX_WRITTEN_CHARACTERS = 4000;

const message = shape({
  role: choice(['user', 'assistant']),
  content: requiredText({ maximum: MAX_WRITTEN_CHARACTERS }),
});

/** The dialogue so far, oldest first; the last message is the one to answer. Empty: the assistant opens the conversation. */
const messages = list(message, { maximum: MAX_WRITTEN_MESSAGES }).superRefine((given, context) => {
  const last = given.length - 1;
  if (given[last]?.role === 'assistant')
    context.addIssue({ code: 'custom', path: [last, 'role'], message: wording.selected });
});

/** Body of POST /api/user/assistants/{id}/generate-reply. */
export const textQuestionBody = shape({
  messages,
  variables: variables().optional(),
  /** HTTP tools may be used; otherwise the assistant answers without them. */
  run_tools: boolean().default(false),
}).meta({ id: 'TextQuestion' });

/** The reply, and what the assistant did for it. */
export const textReply = z
  .strictObject({
    reply: z.string(),
    /** The assistant ended the conversation. */
    is_ended: z.boolean(),
    tool_calls: z.array(
      z.strictObject({ name: z.string(), arguments: jsonObject, is_ok: z.boolean(), result: z.string() }),
    ),
    /** What a scripted dialogue has stored so far; empty for other models. */
    variables: jsonObject,
    /** Milliseconds until the first words of the language model; null if it was not asked or said nothing. */
    first_words_ms: z.int().nullable(),
    /** Milliseconds for the whole reply, with its tools. */
    duration_ms: z.int(),
    /** What it cost with its tools, as far as there are prices. */
    total_cost: z.number(),
    /** False: a part has no price, or its quantity is not known. */
    are_costs_complete: z.boolean(),
  })
  .meta({ id: 'TextReply' });

/** What is asked of an assistant in writing. */
export type TextQuestionBody = z.output<typeof textQuestionBody>;
/** The reply to written messages. */
export type TextReplyRecord = z.output<typeof textReply>;
