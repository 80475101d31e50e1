/**
 * The log of webhooks, resending, and the secret that signs them. Payloads are in webhooks.ts. See
 * docs/api.md, "Webhooks".
 */
import { z } from 'zod';
import { written } from './answers.ts';
import { deliveryAttempt, deliveryStatuses } from './call-record.ts';
import { c, metadata } from './contract.ts';
import { cursorPage, cursorQuery } from './cursor.ts';
import { isoMicrosecondsField } from './dates.ts';
import { envelope, pageQuery } from './envelope.ts';
import { bodyErrors, queryErrors, singleErrors } from './errors.ts';
import { webhookTestPayload } from './webhooks.ts';
import { calendarDate, choice, integer, jsonObject, optionalQuery, shape } from './fields.ts';
import { deliveryEvents } from './form-choices.ts';

/** Page size of the list where the query names none. */
const DEFAULT_PER_PAGE = 15;
const PATH = '/api/user/webhook-deliveries';
const SECRET_PATH = '/api/user/webhook-secret';

/** A webhook as it is listed. */
export const deliveryRecord = z
  .strictObject({
    /** Sent as `webhook-id`. */
    id: z.string(),
    /** Null for events that belong to no call. */
    call_id: z.int().nullable(),
    event: z.string(),
    /** Which URL receives it: one of the assistant's three, the `limit_webhook_url` of the user, or a webhook endpoint. */
    target: z.enum(['post-call', 'inbound', 'conversation', 'limit', 'endpoint']),
    /** The webhook endpoint, which may have been deleted since; null for other targets. */
    endpoint_id: z.int().nullable(),
    url: z.string(),
    status: z.enum(deliveryStatuses),
    /** Why it ended without success: `switched_off`, `gone` (410) or `tries_used_up`. */
    reason: z.string().nullable(),
    attempt_count: z.int(),
    /** HTTP status of the last attempt; null without an attempt or an answer. */
    last_status: z.int().nullable(),
    next_attempt_at: isoMicrosecondsField.nullable(),
    created_at: isoMicrosecondsField,
  })
  .meta({ id: 'DeliveryRecord' });

/** One try, with what the receiver answered. */
const deliveryAttemptDetail = deliveryAttempt
  .extend({ response_headers: z.record(z.string(), z.string()) })
  .meta({ id: 'DeliveryAttemptDetail' });

/** One webhook in full. */
export const deliveryDetail = deliveryRecord
  .extend({
    /** The body as it is sent. */
    payload: jsonObject,
    attempts: z.array(deliveryAttemptDetail),
  })
  .meta({ id: 'DeliveryDetail' });

/** What a user sees of the secret that signs their webhooks. */
export const webhookSecret = z
  .strictObject({
    /** The first characters. */
    prefix: z.string(),
    /** The prefix of the previous secret while it signs too. */
    old_prefix: z.string().nullable(),
    old_valid_until: isoMicrosecondsField.nullable(),
  })
  .meta({ id: 'WebhookSecret' });

/** A new secret. */
export const newWebhookSecret = webhookSecret
  .extend({
    /** Shown only once; null where `Idempotency-Key` gives the answer again. */
    secret: z.string().nullable(),
  })
  .meta({ id: 'NewWebhookSecret' });

/** The answer to a test event. */
export const webhookTestResult = z
  .strictObject({
    url: z.string(),
    payload: webhookTestPayload,
    /** HTTP status; null where there was no answer. */
    status: z.int().nullable(),
    response_body: z.string().nullable(),
    /** Why there was no answer. */
    error: z.string().nullable(),
    duration_ms: z.int(),
  })
  .meta({ id: 'WebhookTestResult' });

/** The answer to a test event. */
export type WebhookTestResult = z.output<typeof webhookTestResult>;

/** One of {@link deliveryEvents}. */
export type DeliveryEvent = (typeof deliveryEvents)[number];
/** A webhook as it is listed. */
export type DeliveryRecord = z.output<typeof deliveryRecord>;
/** One try, with what the receiver answered. */
export type DeliveryAttemptDetail = z.output<typeof deliveryAttemptDetail>;
/** One webhook in full. */
export type DeliveryDetail = z.output<typeof deliveryDetail>;
/** What a user sees of their secret. */
export type WebhookSecret = z.output<typeof webhookSecret>;
/** A new secret, in full. */
export type NewWebhookSecret = z.output<typeof newWebhookSecret>;

/** The path id of a delivery. Any other text is answered with 404. */
const deliveryId = z.object({
  id: z.uuid().meta({ examples: ['b6a1f0a4-5a0e-4b7e-9f60-0c9a8f1d2e3f'] }),
});

/** Body of POST /api/user/webhook-deliveries/resend. */
export const resendManyBody = shape({
  status: choice(['failed', 'disabled']).default('failed'),
  date_from: calendarDate(),
  date_to: calendarDate(),
  event: choice(deliveryEvents).optional(),
});

/** Body of POST /api/user/webhook-secret/rotate. */
export const rotateSecretBody = shape({
  /** Hours; 0: the old secret becomes invalid at once. */
  keep_old_for_hours: integer({ minimum: 0, maximum: 720 }).default(24),
});

const resendAnswer = z
  .strictObject({ message: z.string(), data: z.strictObject({ count: z.int() }) })
  .meta({ id: 'ResendRequested' });

const one = metadata({ scope: 'read', notFoundMessage: 'Webhook delivery not found' });

/** The endpoints of webhook deliveries. */
export const webhookDeliveries = c.router({
  list: {
    method: 'GET',
    path: PATH,
    summary: 'List webhooks that were or will be sent, newest first',
    query: z.object({
      call_id: optionalQuery(integer()),
      status: optionalQuery(choice(deliveryStatuses)),
      event: optionalQuery(choice(deliveryEvents)),
      endpoint_id: optionalQuery(integer()),
      date_from: optionalQuery(calendarDate()),
      date_to: optionalQuery(calendarDate()),
      ...pageQuery(DEFAULT_PER_PAGE),
      /** Microseconds since 1970 and id of a delivery; with it, `page` is ignored. */
      cursor: cursorQuery(z.tuple([z.int().nonnegative(), z.uuid()]).readonly()),
    }),
    responses: {
      200: z.union([
        envelope(deliveryRecord).meta({ id: 'DeliveryPage' }),
        cursorPage(deliveryRecord).meta({ id: 'DeliveryCursorPage' }),
      ]),
      ...queryErrors,
    },
    metadata: metadata({ scope: 'read' }),
  },
  get: {
    method: 'GET',
    path: `${PATH}/:id`,
    pathParams: deliveryId,
    summary: 'Get one webhook with its payload and every attempt',
    responses: { 200: deliveryDetail, ...singleErrors },
    metadata: one,
  },
  resend: {
    method: 'POST',
    path: `${PATH}/:id/resend`,
    pathParams: deliveryId,
    summary: 'Send a webhook again, whatever its status',
    body: z.object({}),
    responses: {
      200: written(deliveryRecord).meta({ id: 'DeliveryResent' }),
      ...bodyErrors,
      ...singleErrors,
    },
    metadata: metadata({ ...one, scope: 'write' }),
  },
  resendMany: {
    method: 'POST',
    path: `${PATH}/resend`,
    summary: 'Send all webhooks of some days again that failed',
    body: resendManyBody,
    responses: { 200: resendAnswer, ...bodyErrors },
    metadata: metadata({ scope: 'write' }),
  },
});

/** The endpoints of the secret that signs webhooks. */
export const webhookSecrets = c.router({
  get: {
    method: 'GET',
    path: SECRET_PATH,
    summary: 'Get the first characters of the secret that signs your webhooks',
    responses: { 200: webhookSecret },
    metadata: metadata({ scope: 'read' }),
  },
  rotate: {
    method: 'POST',
    path: `${SECRET_PATH}/rotate`,
    summary: 'Create a new secret for your webhooks; it is shown only once',
    body: rotateSecretBody,
    responses: { 200: written(newWebhookSecret).meta({ id: 'WebhookSecretRotated' }), ...bodyErrors },
    metadata: metadata({ scope: 'write', secretFields: ['secret'] }),
  },
});
