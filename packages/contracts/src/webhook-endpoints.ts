/**
 * Addresses that subscribe to events of an account: calls, recordings, leads, campaigns, trunks and limits. Payloads are in
 * webhooks.ts; the deliveries are listed in webhook-deliveries.ts. See docs/api.md, "Webhook endpoints".
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import { wording } from './field-wording.ts';
import { boolean, choice, idParameter, integer, list, shape, text, webAddress } from './fields.ts';
import {
  newWebhookSecret,
  rotateSecretBody,
  webhookSecret,
  webhookTestResult,
} from './webhook-deliveries.ts';
import { endpointEvents } from './form-choices.ts';

const MAX_ADDRESS = 2048;
const MAX_DESCRIPTION = 255;
/** Assistants or campaigns of a filter. */
const MAX_FILTER = 100;

/** An endpoint as it is listed. */
export const endpointRecord = z
  .strictObject({
    id: z.int(),
    url: z.string(),
    /** May be empty. */
    description: z.string(),
    events: z.array(z.enum(endpointEvents)),
    /** Only events of these assistants; empty: of all. Events of trunks and limits are sent in any case. */
    assistant_ids: z.array(z.int()),
    /** Only events of these campaigns; empty: of all, and of calls without a campaign. */
    campaign_ids: z.array(z.int()),
    /** Also false after an answer with the status 410. */
    is_enabled: z.boolean(),
    /** What may be shown of the secret that signs what is sent there. */
    signing_secret: webhookSecret,
    created_at: isoMicrosecondsField,
    updated_at: isoMicrosecondsField,
  })
  .meta({ id: 'WebhookEndpoint' });

const newEndpointRecord = endpointRecord
  .extend({
    /** The signing secret in full, shown only once; null where `Idempotency-Key` gives the answer again. */
    secret: z.string().nullable(),
  })
  .meta({ id: 'NewWebhookEndpoint' });

const fields = {
  url: webAddress()
    .refine((value) => value.length <= MAX_ADDRESS, { error: wording.atMostCharacters(MAX_ADDRESS) })
    .meta({ format: 'uri', maxLength: MAX_ADDRESS }),
  description: text({ maximum: MAX_DESCRIPTION }),
  events: list(choice(endpointEvents), { minimum: 1, maximum: endpointEvents.length }),
  ids: list(integer(), { maximum: MAX_FILTER }),
  isEnabled: boolean(),
};

/** Body of POST /api/user/webhook-endpoints. Repeated values of a list count once. */
export const newEndpointBody = shape({
  url: fields.url,
  description: fields.description.default(''),
  events: fields.events,
  assistant_ids: fields.ids.default([]),
  campaign_ids: fields.ids.default([]),
  is_enabled: fields.isEnabled.default(true),
}).meta({ id: 'NewWebhookEndpointInput' });

/** Omitted fields stay unchanged; lists are replaced as a whole. */
export const endpointChangesBody = shape({
  url: fields.url.optional(),
  description: fields.description.optional(),
  events: fields.events.optional(),
  assistant_ids: fields.ids.optional(),
  campaign_ids: fields.ids.optional(),
  is_enabled: fields.isEnabled.optional(),
}).meta({ id: 'WebhookEndpointChanges' });

/** An endpoint as it is listed. */
export type EndpointRecord = z.output<typeof endpointRecord>;
/** A new endpoint, with its secret. */
export type NewEndpointRecord = z.output<typeof newEndpointRecord>;
/** The body that creates an endpoint. */
export type NewEndpoint = z.output<typeof newEndpointBody>;
/** What of an endpoint changes. */
export type EndpointChanges = z.output<typeof endpointChangesBody>;

const LIST_PATH = '/api/user/webhook-endpoints';
const ONE_PATH = '/api/user/webhook-endpoints/:id';
const notFoundMessage = 'Webhook endpoint not found';

/** The endpoints of webhook endpoints. */
export const webhookEndpoints = c.router({
  list: {
    method: 'GET',
    path: LIST_PATH,
    summary: 'List your webhook endpoints, newest first',
    responses: { 200: z.array(endpointRecord) },
    metadata: metadata({ scope: 'read' }),
  },
  create: {
    method: 'POST',
    path: LIST_PATH,
    summary: 'Subscribe an address to events; its signing secret is shown only once',
    body: newEndpointBody,
    responses: { 201: written(newEndpointRecord).meta({ id: 'WebhookEndpointCreated' }), ...bodyErrors },
    metadata: metadata({ scope: 'write', secretFields: ['secret'] }),
  },
  get: {
    method: 'GET',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Read a webhook endpoint',
    responses: { 200: endpointRecord, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage }),
  },
  update: {
    method: 'PUT',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Change a webhook endpoint, or switch it on or off',
    body: endpointChangesBody,
    responses: {
      200: written(endpointRecord).meta({ id: 'WebhookEndpointWritten' }),
      ...bodyErrors,
      ...singleErrors,
    },
    metadata: metadata({ scope: 'write', notFoundMessage }),
  },
  remove: {
    method: 'DELETE',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Delete a webhook endpoint; its pending deliveries are not sent',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', notFoundMessage }),
  },
  rotateSecret: {
    method: 'POST',
    path: `${ONE_PATH}/rotate-secret`,
    pathParams: idParameter,
    summary: 'Create a new secret for a webhook endpoint; it is shown only once',
    body: rotateSecretBody,
    responses: {
      200: written(newWebhookSecret).meta({ id: 'WebhookEndpointSecretRotated' }),
      ...bodyErrors,
      ...singleErrors,
    },
    metadata: metadata({ scope: 'write', notFoundMessage, secretFields: ['secret'] }),
  },
  test: {
    method: 'POST',
    path: `${ONE_PATH}/test`,
    pathParams: idParameter,
    summary: 'Send a test event to a webhook endpoint and return the answer',
    body: z.object({}),
    responses: {
      200: written(webhookTestResult).meta({ id: 'WebhookEndpointTested' }),
      ...bodyErrors,
      ...singleErrors,
    },
    metadata: metadata({ scope: 'write', notFoundMessage, isRepeatable: true }),
  },
});
