/**
 * Calls as they are read: the record of the list, whose fields the API reference fixes, and the
 * detail, which is ours (docs/api.md, "Calls") and may grow.
 */
import { z } from 'zod';
import { callOutcomes, callStatuses, callTypes } from './call-states.ts';
import { isoMicrosecondsField, localDateTimeField } from './dates.ts';
import { jsonObject } from './fields.ts';

/** The text of a caller's turn whose words were not recognised. */
export const UNRECOGNISED_SPEECH = '[not recognised]';

/** Who picked up, as far as it was heard. */
export const answeredBy = ['human', 'machine', 'unknown'] as const;

/** One of {@link callStatuses}. */
export type CallStatus = (typeof callStatuses)[number];
/** One of {@link answeredBy}. */
export type AnsweredBy = (typeof answeredBy)[number];

/** One of {@link callOutcomes}. */
export type CallOutcome = (typeof callOutcomes)[number];

/** The record of the calls list: exactly the specification's fields. */
export const callRecord = z
  .strictObject({
    id: z.int(),
    assistant_name: z.string(),
    /** Only for calls of a campaign. */
    campaign_name: z.string().optional(),
    type: z.enum(callTypes),
    /** Seconds. */
    duration: z.int(),
    assistant_phone_number: z.string(),
    client_phone_number: z.string(),
    status: z.enum(callStatuses),
    transcript: z.string(),
    variables: jsonObject,
    evaluation: jsonObject,
    webhook_response: jsonObject,
    carrier_cost: z.number(),
    total_cost: z.number(),
    answered_by: z.enum(answeredBy),
    /** Only while there is a recording. */
    recording_url: z.string().optional(),
    created_at: localDateTimeField,
    updated_at: localDateTimeField,
  })
  .meta({ id: 'Call' });

/** A call as the list has it. */
export type CallRecord = z.output<typeof callRecord>;

/** The record with the outcome, as the list in the admin app and the detail have it. */
export const callSummary = callRecord.extend({
  /** Null while the call lives. */
  outcome: z.enum(callOutcomes).nullable(),
  /** One of the list of the campaign; null without one. */
  disposition: z.string().nullable(),
});

/** What gave a call its disposition. */
export const dispositionSources = ['evaluation', 'person'] as const;
/** One of {@link dispositionSources}. */
export type DispositionSource = (typeof dispositionSources)[number];

/** A call with its outcome. */
export type CallSummary = z.output<typeof callSummary>;

/** One turn of the conversation. */
export const callTurn = z
  .strictObject({
    sender: z.enum(['bot', 'human']),
    /** Unix seconds with fraction, when the turn began. */
    timestamp: z.number(),
    text: z.string(),
    /** Where the turn begins in the recording, milliseconds. */
    start_ms: z.number(),
    /** Where it ends in the recording, milliseconds. */
    end_ms: z.number(),
    /** True where the other side cut it short. */
    is_interrupted: z.boolean(),
    /**
     * Milliseconds from the end of the customer's speech to each stage of the answer: `final` of the recogniser,
     * `turn_end`, `first_token`, `first_audio`, `first_packet`, and the `silence` the customer heard, which a filler may
     * have ended. Empty for the customer's turns.
     */
    latency: z.record(z.string(), z.number()),
  })
  .meta({ id: 'CallTurn' });

/** A turn as the call's own page has it. */
export type CallTurn = z.output<typeof callTurn>;

/** One event of a call: a change of its state, or a note such as the use of a tool. */
export const callEvent = z
  .strictObject({ at: isoMicrosecondsField, type: z.string(), detail: jsonObject })
  .meta({ id: 'CallEvent' });

/** A line of a call's timeline. */
export type CallEvent = z.output<typeof callEvent>;

/** `disabled`: the webhook was switched off, by its owner or by a receiver that answered 410. */
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'disabled'] as const;

/** One try to deliver a webhook. */
export const deliveryAttempt = z
  .strictObject({
    number: z.int(),
    at: isoMicrosecondsField,
    /** HTTP status; null where there was no answer. */
    status: z.int().nullable(),
    response_body: z.string().nullable(),
    /** Why there was no answer. */
    error: z.string().nullable(),
    duration_ms: z.int(),
  })
  .meta({ id: 'DeliveryAttempt' });

/** A webhook about this call. */
export const webhookDelivery = z
  .strictObject({
    /** Sent as `webhook-id`. */
    id: z.string(),
    event: z.string(),
    url: z.string(),
    status: z.enum(deliveryStatuses),
    next_attempt_at: isoMicrosecondsField.nullable(),
    attempts: z.array(deliveryAttempt),
  })
  .meta({ id: 'WebhookDelivery' });

/** A webhook with all its attempts. */
export type WebhookDelivery = z.output<typeof webhookDelivery>;

/** The subject of a part of the costs. `provider`: a price per minute for all usage of the provider. */
export const costStages = [
  'carrier',
  'provider',
  'transcription',
  'model',
  'voice',
  'speech_to_speech',
  'embedding',
  'evaluation',
] as const;
/** The units of usage. The kinds of tokens do not overlap. */
export const usageUnits = [
  'second',
  'character',
  'input_token',
  'cached_input_token',
  'audio_input_token',
  'output_token',
  'audio_output_token',
] as const;
/**
 * Where an amount comes from. `listed`: the price list; `per_minute`: zero, because the provider's price per
 * minute includes it; `built_in`: zero, because it ran in this installation; `unknown`: no price, or not reported.
 */
export const costBases = ['listed', 'per_minute', 'built_in', 'unknown'] as const;

/** One part of what a call used and cost. */
export const callCost = z
  .strictObject({
    stage: z.enum(costStages),
    /** The name of the trunk, provider, model or voice at the time of the call. */
    name: z.string(),
    /** Null if the usage is unknown. */
    quantity: z.number().nullable(),
    unit: z.enum(usageUnits),
    /** The provider reported nothing; estimated from the length of the texts. */
    is_estimated: z.boolean(),
    basis: z.enum(costBases),
    /** As it was then; null without one. */
    price: z.number().nullable(),
    /** What the price is of, in units: 60 seconds, a million tokens or characters. */
    price_per: z.int(),
    /** quantity × price ÷ price_per, rounded to six decimals; null where it is not known. */
    amount: z.number().nullable(),
  })
  .meta({ id: 'CallCost' });

/** One part of what a call cost. */
export type CallCost = z.output<typeof callCost>;

/** One use of a tool by the assistant, or of what the model took for one. */
export const toolCall = z
  .strictObject({
    name: z.string(),
    /** As they were run; empty where the call was refused. */
    arguments: jsonObject,
    /** When it began, milliseconds since the answer. */
    start_ms: z.int(),
    duration_ms: z.int(),
    is_error: z.boolean(),
    /** The result that the model received. */
    result: z.string(),
  })
  .meta({ id: 'ToolCall' });

/** One use of a tool. */
export type ToolCall = z.output<typeof toolCall>;

/** One call in full. */
export const callDetail = callSummary
  .extend({
    assistant_id: z.int(),
    campaign_id: z.int().nullable(),
    /** Null without a disposition. */
    disposition_source: z.enum(dispositionSources).nullable(),
    /** Null for a call in the browser, and for one that was not answered when its SIP trace was removed. */
    sip_trunk_name: z.string().nullable(),
    /** Inbound: the number that diverted the call first; null if the call was not diverted. */
    diverted_from: z.string().nullable(),
    /** Inbound: the name that the caller or the carrier shows; not verified. */
    caller_name: z.string().nullable(),
    /** Inbound: what networks say about the number of the caller. */
    caller_identity: z
      .strictObject({
        verstat: z.string().nullable(),
        attestation: z.enum(['A', 'B', 'C']).nullable(),
        signature: z.enum(['none', 'not_verified', 'valid', 'invalid']),
        origination_id: z.string().nullable(),
      })
      .meta({ id: 'CallerIdentity' })
      .nullable(),
    /** When the disclosure message had been spoken to its end. */
    disclosed_at: isoMicrosecondsField.nullable(),
    answered_at: isoMicrosecondsField.nullable(),
    ended_at: isoMicrosecondsField.nullable(),
    /** `customer`, `assistant` or `system`; null while the call lives. */
    ended_by: z.string().nullable(),
    /** A code such as `line_lost` or `duration_limit`; null without one. */
    ended_reason: z.string().nullable(),
    input_variables: jsonObject,
    turns: z.array(callTurn),
    events: z.array(callEvent),
    tool_calls: z.array(toolCall),
    webhook_deliveries: z.array(webhookDelivery),
    /** All that was used, and what carrier_cost and total_cost add up from. */
    costs: z.array(callCost),
    /** False where an amount is not known: total_cost is then too low. */
    are_costs_complete: z.boolean(),
  })
  .meta({ id: 'CallDetail' });

/** One call in full. */
export type CallDetail = z.output<typeof callDetail>;
