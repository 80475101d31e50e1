/** Text messages through carrier accounts. A message is sent in the background; `status` says what became of it. */
import { z } from 'zod';
import { written } from './answers.ts';
import { isPlainObject } from './coercion.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import { idParameter, integer, requiredText, shape } from './fields.ts';

/** `unknown`: the carrier has not confirmed the message, and it is not sent again, because it may have arrived. */
const smsStatuses = ['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'unknown'] as const;

/** A message as it is read. */
const smsRecord = z
  .strictObject({
    id: z.int(),
    phone_number_id: z.int(),
    from: z.string(),
    to: z.string(),
    body: z.string(),
    user_id: z.int(),
    /** How many messages of the network it takes; null until the carrier has said it. */
    segments: z.int().nullable(),
    /** What the carrier charges; null until it has said it. */
    total_cost: z.number().nullable(),
    currency: z.string().nullable(),
    status: z.enum(smsStatuses),
    /** Why it was not delivered. */
    error: z.string().nullable(),
    /** The carrier's id. */
    sms_sid: z.string().nullable(),
    created_at: isoMicrosecondsField,
    updated_at: isoMicrosecondsField,
  })
  .meta({ id: 'Sms' });

/** Characters. Longer messages cost several segments each. */
const MAX_BODY = 300;

const smsFields = shape({
  from: integer().meta({
    description: 'The `id` of a phone number of yours that belongs to a carrier account.',
    examples: [3],
  }),
  to: requiredText({ maximum: 64 }).meta({
    description: 'The receiver, in any common notation.',
    examples: ['+12025550142'],
  }),
  body: requiredText({ maximum: MAX_BODY }).meta({
    description: 'The text.',
    examples: ['Your table is booked for seven.'],
  }),
});

/** Body of POST /api/user/sms. A public client misspells `body` as `bodysuit`. */
export const newSmsBody = z.preprocess<unknown, typeof smsFields, z.input<typeof smsFields>>(
  withBody,
  smsFields,
);

function withBody(given: unknown): unknown {
  if (!isPlainObject(given) || given['body'] !== undefined) return given;
  return { ...given, body: given['bodysuit'] };
}

/** A message as it is read. */
export type SmsRecord = z.output<typeof smsRecord>;
/** The body that sends a message. */
export type NewSms = z.output<typeof newSmsBody>;

/** The endpoints of text messages. */
export const sms = c.router({
  send: {
    method: 'POST',
    path: '/api/user/sms',
    summary: 'Send an SMS',
    body: newSmsBody,
    responses: { 200: written(smsRecord).meta({ id: 'SmsQueued' }), ...bodyErrors },
    metadata: metadata({ scope: 'call', isAudited: false }),
  },
  get: {
    method: 'GET',
    path: '/api/user/sms/:id',
    pathParams: idParameter,
    summary: 'Get an SMS',
    responses: { 200: smsRecord, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: 'SMS not found' }),
  },
});
