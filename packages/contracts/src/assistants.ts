/**
 * Endpoints of assistants: create, update, delete, three lists, read, and the switches of their webhooks. Schemas are in
 * assistant-input.ts and assistant-record.ts. See docs/api.md, "Assistants".
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { createAssistantBody, updateAssistantBody } from './assistant-input.ts';
import {
  assistantDetails,
  assistantRecord,
  assistantTypes,
  assistantWritten,
  outboundAssistantRecord,
} from './assistant-record.ts';
import { c, metadata } from './contract.ts';
import { envelope, pageQuery } from './envelope.ts';
import { bodyErrors, errorBody, errorText, queryErrors, singleErrors } from './errors.ts';
import { choice, idParameter, integer, optionalQuery, shape, webAddress } from './fields.ts';
import { textQuestionBody, textReply } from './text-reply.ts';

/** Default page size of the assistants list. */
const DEFAULT_PER_PAGE = 10;

const NOT_FOUND = 'Assistant not found';

const read = metadata({ scope: 'read' });

/** `data` is reserved, and always empty. */
const webhookSwitched = z
  .strictObject({ message: z.string(), data: z.array(z.unknown()).max(0) })
  .meta({ id: 'WebhookSwitched' });

/** Common to the six switches of webhooks. */
const webhookSwitch = {
  method: 'POST',
  responses: { 200: webhookSwitched, ...bodyErrors, ...singleErrors },
  metadata: metadata({ scope: 'write', notFoundMessage: NOT_FOUND }),
} as const;

const disableWebhookBody = shape({ assistant_id: integer() }).meta({ id: 'DisableWebhook' });
const enableWebhookBody = shape({ assistant_id: integer(), webhook_url: webAddress() }).meta({
  id: 'EnableWebhook',
});

/** The endpoints of assistants. */
export const assistants = c.router({
  create: {
    method: 'POST',
    path: '/api/user/assistant',
    summary: 'Create an assistant',
    body: createAssistantBody,
    responses: { 201: assistantWritten, ...bodyErrors },
    metadata: metadata({
      scope: 'write',
      validationMessage: errorText.validationFailed,
      failureMessage: 'Assistant creation failed',
    }),
  },
  list: {
    method: 'GET',
    path: '/api/user/assistants/get',
    summary: 'List assistants, paginated',
    query: z.object({ type: optionalQuery(choice(assistantTypes)), ...pageQuery(DEFAULT_PER_PAGE) }),
    responses: { 200: envelope(assistantRecord).meta({ id: 'AssistantPage' }), ...queryErrors },
    metadata: read,
  },
  listAll: {
    method: 'GET',
    path: '/api/user/assistants',
    summary: 'List all assistants',
    responses: { 200: z.array(assistantRecord) },
    metadata: read,
  },
  listOutbound: {
    method: 'GET',
    path: '/api/user/assistants/outbound',
    summary: 'List outbound assistants',
    responses: { 200: z.array(outboundAssistantRecord) },
    metadata: read,
  },
  get: {
    method: 'GET',
    path: '/api/user/assistant/:id',
    pathParams: idParameter,
    summary: 'Get one assistant',
    responses: { 200: assistantDetails, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: NOT_FOUND }),
  },
  update: {
    method: 'PUT',
    path: '/api/user/assistant/:id',
    pathParams: idParameter,
    summary: 'Change an assistant; omitted fields keep their values',
    body: updateAssistantBody,
    responses: { 200: assistantWritten, ...bodyErrors, ...singleErrors },
    metadata: metadata({
      scope: 'write',
      validationMessage: errorText.validationFailed,
      notFoundMessage: NOT_FOUND,
      failureMessage: 'Assistant update failed',
    }),
  },
  remove: {
    method: 'DELETE',
    path: '/api/user/assistant/:id',
    pathParams: idParameter,
    summary: 'Delete an assistant and stop its campaigns; live calls finish',
    body: z.object({}),
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({
      scope: 'write',
      notFoundMessage: NOT_FOUND,
      failureMessage: 'Assistant deletion failed',
    }),
  },
  generateReply: {
    method: 'POST',
    path: '/api/user/assistants/:id/generate-reply',
    pathParams: idParameter,
    summary: 'Let an assistant reply to written messages',
    body: textQuestionBody,
    responses: {
      200: written(textReply).meta({ id: 'ReplyGenerated' }),
      ...bodyErrors,
      ...singleErrors,
      503: errorBody,
    },
    // Tokens with limits have no scope `write`; the cost of a reply is not part of their limits.
    metadata: metadata({ scope: 'write', notFoundMessage: NOT_FOUND, isRepeatable: true, isAudited: false }),
  },
  disableWebhook: {
    ...webhookSwitch,
    path: '/api/user/assistants/disable-webhook',
    summary: 'Stop the post-call webhook and forget its address',
    body: disableWebhookBody,
  },
  disableInboundWebhook: {
    ...webhookSwitch,
    path: '/api/user/assistants/disable-inbound-webhook',
    summary: 'Stop the webhook of inbound calls and forget its address',
    body: disableWebhookBody,
  },
  enableWebhook: {
    ...webhookSwitch,
    path: '/api/user/assistants/enable-webhook',
    summary: 'Send the data of finished calls to an address',
    body: enableWebhookBody,
  },
  enableInboundWebhook: {
    ...webhookSwitch,
    path: '/api/user/assistants/enable-inbound-webhook',
    summary: 'Tell an address of inbound calls',
    body: enableWebhookBody,
  },
  disableConversationEndedWebhook: {
    ...webhookSwitch,
    path: '/api/user/assistants/disable-conversation-ended-webhook',
    summary: 'Stop the webhook of written conversations and forget its address',
    body: disableWebhookBody,
  },
  enableConversationEndedWebhook: {
    ...webhookSwitch,
    path: '/api/user/assistants/enable-conversation-ended-webhook',
    summary: 'Send ended written conversations to an address',
    body: enableWebhookBody,
  },
});
