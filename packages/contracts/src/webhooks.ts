/**
 * What we post to the users' own servers. Headers follow Standard Webhooks (`webhook-id`, `webhook-timestamp`,
 * `webhook-signature`); bodies are flat. See docs/api.md, "Webhooks".
 */
import { z } from 'zod';
import { callOutcomes, callStatuses } from './call-record.ts';
import { isoMicrosecondsField, localDateTimeField } from './dates.ts';
import { jsonObject } from './fields.ts';

/** The campaign of a call, in a webhook. */
export const webhookCampaign = z
  .strictObject({ id: z.int(), name: z.string() })
  .meta({ id: 'WebhookCampaign' });

/** The lead of a campaign's call, in a webhook. */
export const webhookLead = z
  .strictObject({
    id: z.int(),
    phone_number: z.string(),
    variables: jsonObject,
    status: z.enum(['created', 'completed', 'reached-max-retries']),
    created_at: localDateTimeField,
    updated_at: localDateTimeField,
    campaign: webhookCampaign,
  })
  .meta({ id: 'WebhookLead' });

/** One turn in a webhook. */
export const webhookTurn = z
  .strictObject({
    sender: z.enum(['bot', 'human']),
    /** Unix seconds with fraction. */
    timestamp: z.number(),
    text: z.string(),
  })
  .meta({ id: 'WebhookTurn' });

/** After a call. */
export const callFinishedPayload = z
  .strictObject({
    event: z.literal('call.finished'),
    id: z.int(),
    customer_phone: z.string(),
    assistant_phone: z.string(),
    /** Seconds. */
    duration: z.int(),
    status: z.enum(callStatuses),
    assistant_id: z.int(),
    /** Null for a call without a campaign. */
    campaign_id: z.int().nullable(),
    ended_reason: z.string().nullable(),
    outcome: z.enum(callOutcomes),
    /** The evaluation, merged over what tools collected. */
    extracted_variables: jsonObject,
    evaluation: jsonObject,
    input_variables: jsonObject,
    transcript: z.string(),
    turns: z.array(webhookTurn),
    /** Only with `include_recording_in_webhook`; then null without a recording. */
    recording_url: z.string().nullable().optional(),
    created_at: isoMicrosecondsField,
    finished_at: isoMicrosecondsField,
    carrier_cost: z.number(),
    total_cost: z.number(),
    lead: webhookLead.nullable(),
    campaign: webhookCampaign.nullable(),
  })
  .meta({ id: 'CallFinished' });

/** Body of `call.finished`. */
export type CallFinishedPayload = z.output<typeof callFinishedPayload>;

/** Before an inbound call is answered. */
export const callIncomingPayload = z
  .strictObject({
    event: z.literal('call.incoming'),
    call_id: z.int(),
    customer_phone: z.string(),
    assistant_phone: z.string(),
  })
  .meta({ id: 'CallIncoming' });

/** Body of `call.incoming`. */
export type CallIncomingPayload = z.output<typeof callIncomingPayload>;

/** A test that a user sends from the admin app. */
export const webhookTestPayload = z
  .strictObject({
    event: z.literal('webhook.test'),
    assistant_id: z.int(),
    sent_at: isoMicrosecondsField,
  })
  .meta({ id: 'WebhookTest' });

/** Body of `webhook.test`. */
export type WebhookTestPayload = z.output<typeof webhookTestPayload>;

const limitFields = {
  /** Whose limit it is. */
  scope: z.enum(['user', 'token', 'trunk']),
  /** The `id` of the user, API token or SIP trunk. */
  scope_id: z.int(),
  /** The account that it belongs to; null for a shared trunk. */
  user_id: z.int().nullable(),
  measure: z.enum(['calls_per_second', 'calls_per_day', 'cost_per_day']),
  used: z.number(),
  limit: z.number(),
  /** The day of the limit in UTC, `YYYY-MM-DD`. */
  day: z.string(),
  reached_at: isoMicrosecondsField,
};

/** A limit has reached 80 %. It has no names and no phone numbers. */
export const limitWarningPayload = z
  .strictObject({ event: z.literal('limit.warning'), ...limitFields })
  .meta({ id: 'LimitWarning' });

/** A limit is used up. */
export const limitReachedPayload = z
  .strictObject({ event: z.literal('limit.reached'), ...limitFields })
  .meta({ id: 'LimitReached' });

/** Body of `limit.warning` and `limit.reached`. */
export type LimitPayload = Omit<z.output<typeof limitWarningPayload>, 'event'> & {
  event: 'limit.warning' | 'limit.reached';
};

/** Every event by its name, for the API document and for receivers. */
export const webhookPayloads = {
  'call.finished': callFinishedPayload,
  'call.incoming': callIncomingPayload,
  'webhook.test': webhookTestPayload,
  'limit.warning': limitWarningPayload,
  'limit.reached': limitReachedPayload,
} as const;
