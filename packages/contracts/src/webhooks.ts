/**
 * What we post to the users' own servers. Headers follow Standard Webhooks (`webhook-id`, `webhook-timestamp`,
 * `webhook-signature`); bodies are flat. See docs/api.md, "Webhooks".
 */
import { z } from 'zod';
import { callTypes } from './call-states.ts';
import { callOutcomes, callStatuses } from './call-states.ts';
import { isoMicrosecondsField, localDateTimeField } from './dates.ts';
import { jsonObject } from './fields.ts';
import type { endpointEvents } from './form-choices.ts';
import {
  writtenConversationTypes,
  writtenEndReasons,
  writtenMessageRecord,
} from './written-conversation-record.ts';

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
    /** One of the list of the campaign; null without one. */
    disposition: z.string().nullable(),
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

/** A written conversation has ended. */
export const conversationEndedPayload = z
  .strictObject({
    event: z.literal('conversation.ended'),
    /** The `uuid` of the conversation. */
    conversation_id: z.uuid(),
    type: z.enum(writtenConversationTypes),
    assistant_id: z.int(),
    /** The `customer_identifier`; null for conversations without one. */
    external_identifier: z.string().nullable(),
    /** E.164; null where the identifier is no phone number. */
    customer_phone: z.string().nullable(),
    /** The variable `name` or `customer_name`; null without one. */
    customer_name: z.string().nullable(),
    /** Always null: there are no WhatsApp conversations. */
    sender: z.null(),
    status: z.literal('ended'),
    ended_reason: z.enum(writtenEndReasons),
    /** What a scripted dialogue has stored. */
    extracted_variables: jsonObject,
    input_variables: jsonObject,
    message_count: z.int(),
    /** Oldest first. */
    transcript: z.array(
      z
        .strictObject({
          role: writtenMessageRecord.shape.role,
          content: z.string(),
          timestamp: isoMicrosecondsField,
          /** Seconds since 1970. */
          timestamp_unix: z.int(),
        })
        .meta({ id: 'ConversationEndedMessage' }),
    ),
    /** One message a line. */
    formatted_transcript: z.string(),
    created_at: isoMicrosecondsField,
    ended_at: isoMicrosecondsField,
  })
  .meta({ id: 'ConversationEnded' });

/** Body of `conversation.ended`. */
export type ConversationEndedPayload = z.output<typeof conversationEndedPayload>;

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

/** A test that a user sends, to the webhook of an assistant or to a webhook endpoint. */
export const webhookTestPayload = z
  .strictObject({
    event: z.literal('webhook.test'),
    /** Null for a webhook endpoint. */
    assistant_id: z.int().nullable(),
    /** Null for the webhook of an assistant. */
    endpoint_id: z.int().nullable(),
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

const callEventFields = {
  call_id: z.int(),
  type: z.enum(callTypes),
  customer_phone: z.string(),
  assistant_phone: z.string(),
  assistant_id: z.int(),
  /** Null for a call without a campaign. */
  campaign_id: z.int().nullable(),
  lead_id: z.int().nullable(),
  occurred_at: isoMicrosecondsField,
};

/** The INVITE of an outbound call is about to be sent, an inbound call has arrived, or a browser has connected. */
export const callStartedPayload = z
  .strictObject({ event: z.literal('call.started'), ...callEventFields })
  .meta({ id: 'CallStarted' });

/** A call was answered. */
export const callAnsweredPayload = z
  .strictObject({ event: z.literal('call.answered'), ...callEventFields })
  .meta({ id: 'CallAnswered' });

/** A call has ended, or was not answered. */
export const callEndedPayload = z
  .strictObject({
    event: z.literal('call.ended'),
    ...callEventFields,
    status: z.enum(callStatuses),
    ended_reason: z.string().nullable(),
    /** Seconds of conversation. */
    duration: z.int(),
  })
  .meta({ id: 'CallEnded' });

/** The questions of `post_call_schema` were answered. */
export const callEvaluatedPayload = z
  .strictObject({ event: z.literal('call.evaluated'), ...callEventFields, evaluation: jsonObject })
  .meta({ id: 'CallEvaluated' });

/** The recording of a call can be played. */
export const recordingReadyPayload = z
  .strictObject({ event: z.literal('recording.ready'), ...callEventFields, recording_url: z.string() })
  .meta({ id: 'RecordingReady' });

/** A caller has left a message. The recording has the greeting too. */
export const voicemailReceivedPayload = z
  .strictObject({
    event: z.literal('voicemail.received'),
    ...callEventFields,
    recording_url: z.string(),
    /** Empty if no recogniser has understood it. */
    transcript: z.string(),
    /** Seconds from the answer to the end of the call. */
    duration: z.int(),
  })
  .meta({ id: 'VoicemailReceived' });

/** Dialing of a lead has ended. It has no phone number and no variables. */
export const leadSettledPayload = z
  .strictObject({
    event: z.literal('lead.settled'),
    lead_id: z.int(),
    campaign_id: z.int(),
    assistant_id: z.int(),
    /** The last call; null if dialing ended without one. */
    call_id: z.int().nullable(),
    status: z.enum(['completed', 'reached-max-retries']),
    occurred_at: isoMicrosecondsField,
  })
  .meta({ id: 'LeadSettled' });

/** No lead of a campaign is waiting or being called any more. */
export const campaignCompletedPayload = z
  .strictObject({
    event: z.literal('campaign.completed'),
    campaign_id: z.int(),
    campaign_name: z.string(),
    assistant_id: z.int(),
    occurred_at: isoMicrosecondsField,
  })
  .meta({ id: 'CampaignCompleted' });

/** Most calls of a SIP trunk fail, so that it is not used for a while. */
export const trunkPausedPayload = z
  .strictObject({
    event: z.literal('trunk.paused'),
    trunk_id: z.int(),
    /** The account that it belongs to; null for a shared trunk. */
    user_id: z.int().nullable(),
    paused_until: isoMicrosecondsField,
    occurred_at: isoMicrosecondsField,
  })
  .meta({ id: 'TrunkPaused' });

/** One of {@link endpointEvents}. */
export type EndpointEvent = (typeof endpointEvents)[number];

/** Every event by its name, for the API document and for receivers. */
export const webhookPayloads = {
  'call.finished': callFinishedPayload,
  'call.incoming': callIncomingPayload,
  'conversation.ended': conversationEndedPayload,
  'webhook.test': webhookTestPayload,
  'call.started': callStartedPayload,
  'call.answered': callAnsweredPayload,
  'call.ended': callEndedPayload,
  'call.evaluated': callEvaluatedPayload,
  'recording.ready': recordingReadyPayload,
  'voicemail.received': voicemailReceivedPayload,
  'lead.settled': leadSettledPayload,
  'campaign.completed': campaignCompletedPayload,
  'trunk.paused': trunkPausedPayload,
  'limit.warning': limitWarningPayload,
  'limit.reached': limitReachedPayload,
} as const;

/** The body of an event that webhook endpoints may subscribe to. */
export type EndpointPayload = {
  [Event in EndpointEvent]: z.output<(typeof webhookPayloads)[Event]>;
}[EndpointEvent];
