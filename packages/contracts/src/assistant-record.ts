/**
 * Assistants as they are read: the full record, the reduced one of the outbound list, and the answer to a write.
 * See docs/api.md, "Assistants". Odd types (numbers as strings, flags as 0 and 1) are those of the API reference.
 */
import { z } from 'zod';
import { assistantTool } from './assistant-tools.ts';
import { jsonObject } from './fields.ts';
import { isoMicrosecondsField } from './dates.ts';

/** Who calls whom: `inbound` assistants are called, `outbound` ones call. */
export const assistantTypes = ['inbound', 'outbound'] as const;
/** Only active assistants make and take calls. */
export const assistantStatuses = ['active', 'inactive'] as const;
/** `pipeline` is recogniser, model and voice; `multimodal` one model for speech to speech. */
export const assistantModes = ['pipeline', 'multimodal'] as const;
/** How the end of the customer's turn is found: by silence, or by a model as well. */
export const endpointTypes = ['vad', 'ai'] as const;
/** Sound behind the assistant's voice. */
export const ambientSounds = ['off', 'office', 'city', 'forest', 'crowded_room', 'cafe', 'nature'] as const;
/** Keys by which a customer can ask not to be called again. */
export const optOutKeys = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'] as const;
/** Types of what an evaluation collects. */
export const schemaFieldTypes = ['string', 'number', 'bool'] as const;

const id = z.int();
const optionalId = z.int().nullable();
const flag = z.union([z.literal(0), z.literal(1)]).meta({ type: 'integer' });
/** At least one decimal: `1.0`. */
const numericString = z.string().regex(/^-?\d+\.\d+$/);

const postCallField = z
  .strictObject({ name: z.string(), type: z.enum(schemaFieldTypes), description: z.string() })
  .meta({ id: 'PostCallField' });

const fillerLists = z
  .strictObject({
    neutral: z.array(z.string()),
    negative: z.array(z.string()),
    positive: z.array(z.string()),
    question: z.array(z.string()),
  })
  .meta({ id: 'FillerLists' });

/** The full record. */
export const assistantRecord = z
  .strictObject({
    id,
    user_id: id,
    uuid: z.uuid(),
    name: z.string(),
    type: z.enum(assistantTypes),
    status: z.enum(assistantStatuses),
    mode: z.enum(assistantModes),
    phone_number_id: optionalId,
    engine_id: optionalId,
    synthesizer_id: optionalId,
    transcriber_id: optionalId,
    instance_id: optionalId,
    transcriber_provider_id: optionalId,
    synthesizer_provider_id: optionalId,
    voice_id: id,
    language_id: id,
    language: z.string().nullable(),
    llm_model_id: id,
    multimodal_model_id: optionalId,
    variables: jsonObject,
    post_call_evaluation: z.boolean(),
    post_call_schema: z.array(postCallField),
    tools: z.array(assistantTool),
    fillers: flag,
    filler_config: fillerLists,
    is_webhook_active: z.boolean(),
    webhook_url: z.string().nullable(),
    inbound_webhook_url: z.string().nullable(),
    send_webhook_only_on_completed: z.boolean(),
    include_recording_in_webhook: z.boolean(),
    max_duration: z.int(),
    record: z.boolean(),
    initial_message: z.string(),
    system_prompt: z.string(),
    flows_platform_id: optionalId,
    timezone: z.string(),
    max_silence_duration: z.int(),
    reengagement_interval: z.int(),
    end_call_on_voicemail: flag,
    llm_temperature: numericString,
    voice_stability: numericString,
    voice_similarity: numericString,
    speech_speed: numericString,
    ambient_sound: z.enum(ambientSounds),
    ambient_sound_volume: numericString,
    allow_interruptions: z.boolean(),
    enable_noise_cancellation: z.boolean(),
    endpoint_type: z.enum(endpointTypes),
    endpoint_sensitivity: z.number(),
    interrupt_sensitivity: z.number(),
    min_interrupt_words: z.int(),
    wait_for_customer: z.boolean(),
    knowledgebase_id: optionalId,
    knowledgebase_mode: z.string(),
    widget_settings: jsonObject,
    created_at: isoMicrosecondsField,
    updated_at: isoMicrosecondsField,
    deleted_at: isoMicrosecondsField.nullable(),
  })
  .meta({ id: 'Assistant' });

/** An assistant as the full record has it. */
export type AssistantRecord = z.output<typeof assistantRecord>;

/** What may be removed from the words of calls. */
export const redactedKinds = ['card_number', 'email', 'phone_number'] as const;

/** One of {@link redactedKinds}. */
export type RedactedKind = (typeof redactedKinds)[number];

/** A single assistant: the full record and the settings that the API reference does not have. */
export const assistantDetails = assistantRecord
  .extend({
    initial_message_delay: z.number(),
    initial_message_interruptible: z.boolean(),
    opt_out_key: z.enum(optOutKeys).nullable(),
    disclosure_message: z.string().nullable(),
    redact: z.array(z.enum(redactedKinds)),
    folder_id: optionalId,
    label_ids: z.array(id),
    tool_ids: z.array(id),
    fallback_llm_models: z.array(z.string()),
    conversation_ended_webhook_url: z.string().nullable(),
    /** Minutes. */
    conversation_inactivity_timeout: z.int(),
    conversation_ended_retrigger: z.boolean(),
  })
  .meta({ id: 'AssistantDetails' });

/** An assistant as its own endpoint has it. */
export type AssistantDetailsRecord = z.output<typeof assistantDetails>;

/** What the list of outbound assistants shows of each. */
export const outboundAssistantRecord = assistantRecord
  .pick({
    id: true,
    user_id: true,
    name: true,
    type: true,
    mode: true,
    status: true,
    voice_id: true,
    language_id: true,
    timezone: true,
    initial_message: true,
    system_prompt: true,
    variables: true,
    webhook_url: true,
    is_webhook_active: true,
    created_at: true,
    updated_at: true,
  })
  .meta({ id: 'OutboundAssistant' });

/** An assistant as the list of outbound ones has it. */
export type OutboundAssistantRecord = z.output<typeof outboundAssistantRecord>;

/** The answer to creating and updating. */
export const assistantWritten = z
  .strictObject({
    message: z.string(),
    data: assistantRecord
      .pick({ id: true, name: true, status: true, type: true, mode: true })
      .meta({ id: 'AssistantSummary' }),
  })
  .meta({ id: 'AssistantWritten' });

/** What a write is answered with. */
export type AssistantWritten = z.output<typeof assistantWritten>;
