/**
 * Written conversations, which the server keeps: begin, write, read, list, and switch the assistant off and on. Paths and
 * fields are those of existing clients. See docs/api.md, "Written conversations", and
 * docs/decisions/written-conversations.md.
 */
import { z } from 'zod';
import { toInteger } from './coercion.ts';
import { c, metadata } from './contract.ts';
import { cursorPage, cursorQuery } from './cursor.ts';
import { bodyErrors, errorBody, queryErrors, singleErrors } from './errors.ts';
import { wording } from './field-wording.ts';
import {
  choice,
  integer,
  optionalQuery,
  partOfNumber,
  requiredText,
  shape,
  text,
  variables,
} from './fields.ts';
import { MAX_WRITTEN_CHARACTERS } from './text-reply.ts';
import {
  listedConversation,
  readConversation,
  writtenConversationTypes,
  writtenMessageRecord,
  writtenToolUse,
} from './written-conversation-record.ts';

const MAX_IDENTIFIER = 255;
const MAX_MESSAGE = 2000;
const DEFAULT_PER_PAGE = 15;
const NOT_FOUND = 'Conversation not found';
const ASSISTANT_NOT_FOUND = 'Assistant not found';

/** An `id` or a `uuid`. */
const assistantReference = z.preprocess(
  toInteger,
  z
    .custom<number | string>((value) => Number.isSafeInteger(value) || z.uuid().safeParse(value).success, {
      error: ({ input }) => (input === undefined || input === null ? wording.required : wording.selected),
    })
    .meta({ type: ['integer', 'string'] as never }),
);

const uuidParameter = z.object({
  uuid: z.uuid().meta({ examples: ['b6a1f0a4-5a0e-4b7e-9f60-0c9a8f1d2e3f'] }),
});

const newConversationBody = shape({
  assistant_id: assistantReference,
  type: choice(['widget', 'test']).default('widget'),
  variables: variables().optional(),
});
/** Body of POST /api/conversations. */
export type NewWrittenConversation = z.output<typeof newConversationBody>;

const begun = z
  .strictObject({
    status: z.literal(true),
    conversation_id: z.uuid(),
    /** What the assistant says first; empty where the customer speaks first. */
    history: z.array(writtenMessageRecord),
  })
  .meta({ id: 'WrittenConversationBegun' });

/** Common to both ways of writing. */
const reply = {
  function_calls: z.array(writtenToolUse),
  /** The assistant is switched off: the message is stored, and the reply is empty. */
  ai_disabled: z.boolean(),
  /** The assistant ended the conversation. */
  is_ended: z.boolean(),
};

const messageReply = z
  .strictObject({ status: z.literal(true), message: z.string(), ...reply })
  .meta({ id: 'WrittenReply' });

const generatedReply = z
  .strictObject({
    success: z.literal(true),
    conversation_id: z.uuid(),
    customer_identifier: z.string(),
    reply: z.string(),
    ...reply,
  })
  .meta({ id: 'GeneratedReply' });

const aiSwitched = z
  .strictObject({ status: z.literal(true), ai_enabled: z.boolean() })
  .meta({ id: 'WrittenConversationSwitched' });

const query = z.object({
  type: optionalQuery(choice(writtenConversationTypes)),
  assistant_id: optionalQuery(integer()),
  /** The whole number. */
  customer_phone: optionalQuery(partOfNumber()),
  external_identifier: optionalQuery(text({ maximum: MAX_IDENTIFIER })),
  per_page: optionalQuery(integer({ minimum: 1, maximum: 100 })).transform(
    (count) => count ?? DEFAULT_PER_PAGE,
  ),
  /** The number of a conversation. */
  cursor: cursorQuery(z.tuple([z.int().nonnegative()]).readonly()),
});
/** The filters of the list. */
export type WrittenConversationsQuery = z.output<typeof query>;

/** Writing costs the tokens of a model, as `assistants.generateReply` does. A message has its own record. */
const writes = metadata({ scope: 'write', notFoundMessage: NOT_FOUND, isRepeatable: true, isAudited: false });

const aiSwitch = {
  method: 'POST',
  pathParams: uuidParameter,
  body: z.object({}),
  responses: { 200: aiSwitched, ...bodyErrors, ...singleErrors },
  metadata: metadata({ scope: 'write', notFoundMessage: NOT_FOUND }),
} as const;

/** The endpoints of written conversations. */
export const writtenConversations = c.router({
  generateReply: {
    method: 'POST',
    path: '/api/ai/generate-reply',
    summary: 'Let an assistant reply to a customer whose conversation the server keeps',
    body: shape({
      assistant_id: integer(),
      customer_identifier: requiredText({ maximum: MAX_IDENTIFIER }),
      message: requiredText({ maximum: MAX_WRITTEN_CHARACTERS }),
      variables: variables().optional(),
    }),
    responses: { 200: generatedReply, ...bodyErrors, ...singleErrors, 503: errorBody },
    metadata: { ...writes, notFoundMessage: ASSISTANT_NOT_FOUND },
  },
  create: {
    method: 'POST',
    path: '/api/conversations',
    summary: 'Begin a written conversation',
    body: newConversationBody,
    responses: { 200: begun, ...bodyErrors, ...singleErrors, 503: errorBody },
    metadata: { ...writes, notFoundMessage: ASSISTANT_NOT_FOUND },
  },
  get: {
    method: 'GET',
    path: '/api/conversations/:uuid',
    pathParams: uuidParameter,
    summary: 'Get a written conversation with its messages',
    responses: { 200: readConversation, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: NOT_FOUND }),
  },
  write: {
    method: 'POST',
    path: '/api/conversations/:uuid/messages',
    pathParams: uuidParameter,
    summary: 'Write a message and get the reply of the assistant',
    body: shape({ message: requiredText({ maximum: MAX_MESSAGE }) }),
    responses: { 200: messageReply, ...bodyErrors, ...singleErrors, 503: errorBody },
    metadata: writes,
  },
  list: {
    method: 'GET',
    path: '/api/user/conversations',
    summary: 'List written conversations, newest first',
    query,
    responses: {
      200: cursorPage(listedConversation).meta({ id: 'WrittenConversationPage' }),
      ...queryErrors,
    },
    metadata: metadata({ scope: 'read' }),
  },
  enableAi: {
    ...aiSwitch,
    path: '/api/automate/conversations/:uuid/enable-ai',
    summary: 'Let the assistant answer a written conversation again',
  },
  disableAi: {
    ...aiSwitch,
    path: '/api/automate/conversations/:uuid/disable-ai',
    summary: 'Store the messages of a written conversation without answering them',
  },
});
