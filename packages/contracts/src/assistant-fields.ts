/**
 * Every field of an assistant that can be written, with the rule for its value. The fields and limits are those of the
 * API reference for `POST /api/user/assistant`, and those of docs/api.md, "Assistants". Rules over several fields, and
 * the translation between the two vocabularies, are in assistant-input.ts.
 */
import { z } from 'zod';
import { assistantDefaults } from './assistant-defaults.ts';
import {
  ambientSounds,
  assistantModes,
  assistantStatuses,
  assistantTypes,
  endpointTypes,
  optOutKeys,
  redactedKinds,
  schemaFieldTypes,
} from './assistant-record.ts';
import { writtenTools } from './assistant-tools.ts';
import { toObject } from './coercion.ts';
import { wording } from './field-wording.ts';
import { knowledgebaseModes } from './knowledgebases.ts';
import {
  boolean,
  choice,
  disclosureMessage,
  integer,
  list,
  notImplemented,
  nullable,
  number,
  requireDistinctNames,
  requiredText,
  shape,
  text,
  timeZone,
  variables,
  webAddress,
} from './fields.ts';
import { endCallDescription } from './tool-shapes.ts';
import { writtenWidgetSettings } from './widget-settings.ts';

const MAX_NAME = 255;
const MAX_LOOKUP_NAME = 100;
const MAX_FALLBACK_MODELS = 3;
const MAX_FILLERS = 100;
const MAX_POST_CALL_FIELDS = 100;
const MAX_LABELS = 100;
const MAX_TOOL_IDS = 32;

const postCallField = shape({
  name: requiredText().regex(/^[A-Za-z0-9_]*$/, { error: wording.format }),
  type: choice(schemaFieldTypes),
  description: requiredText(),
});

/** The questions that the evaluation of a call answers; their names are the keys of its `evaluation`. */
export const writtenPostCallSchema = () =>
  list(postCallField, { maximum: MAX_POST_CALL_FIELDS }).superRefine(requireDistinctNames);

const fillerLists = shape({
  neutral: list(text(), { maximum: MAX_FILLERS }).optional(),
  negative: list(text(), { maximum: MAX_FILLERS }).optional(),
  positive: list(text(), { maximum: MAX_FILLERS }).optional(),
  question: list(text(), { maximum: MAX_FILLERS }).optional(),
});

/** The field with the dot as an object. Null or empty for no change. */
const endCallTool = z.preprocess(toObject, nullable(shape({ description: endCallDescription.optional() })));

/** Null or empty for the default, `function_call`. */
const knowledgebaseMode = nullable(choice(knowledgebaseModes)).transform((mode) => mode ?? '');

/** Null or empty for the default. */
const inactivityMinutes = nullable(integer({ minimum: 1, maximum: 10_080 })).transform(
  (minutes) => minutes ?? assistantDefaults.conversation_inactivity_timeout,
);

/** Every field that can be written, by all its names, in the specification's order. */
export const writableFields = shape({
  assistant_name: requiredText({ maximum: MAX_NAME }).optional(),
  name: requiredText({ maximum: MAX_NAME }).optional(),
  voice_id: integer().optional(),
  language: requiredText({ maximum: MAX_LOOKUP_NAME }).optional(),
  language_id: integer().optional(),
  llm_model: requiredText({ maximum: MAX_LOOKUP_NAME }).optional(),
  llm_model_id: integer().optional(),
  fallback_llm_models: list(requiredText({ maximum: MAX_LOOKUP_NAME }), {
    maximum: MAX_FALLBACK_MODELS,
  }).optional(),
  calls_direction: choice(['receive', 'make']).optional(),
  type: choice(assistantTypes).optional(),
  engine_type: choice(assistantModes).optional(),
  mode: choice(assistantModes).optional(),
  timezone: timeZone().optional(),
  initial_message: requiredText().optional(),
  initial_message_delay: number({ minimum: 0, maximum: 10 }).optional(),
  initial_message_interruptible: boolean().optional(),
  disclosure_message: disclosureMessage().optional(),
  redact: list(choice(redactedKinds), { maximum: redactedKinds.length }).optional(),
  opt_out_key: nullable(choice(optOutKeys)).optional(),
  system_prompt: requiredText().optional(),
  phone_number_id: nullable(integer()).optional(),
  transcriber_provider_id: nullable(integer()).optional(),
  folder_id: nullable(integer()).optional(),
  label_ids: list(integer(), { maximum: MAX_LABELS }).optional(),
  endpoint_type: choice(endpointTypes).optional(),
  endpoint_sensitivity: number({ minimum: 0, maximum: 5 }).optional(),
  interrupt_sensitivity: number({ minimum: 0, maximum: 5 }).optional(),
  ambient_sound: choice(ambientSounds).optional(),
  ambient_sound_volume: number({ minimum: 0, maximum: 1 }).optional(),
  post_call_evaluation: boolean().optional(),
  send_webhook_only_on_completed: boolean().optional(),
  include_recording_in_webhook: boolean().optional(),
  is_webhook_active: boolean().optional(),
  webhook_url: nullable(webAddress()).optional(),
  inbound_webhook_url: nullable(webAddress()).optional(),
  conversation_ended_webhook_url: nullable(webAddress()).optional(),
  conversation_inactivity_timeout: inactivityMinutes.optional(),
  conversation_ended_retrigger: boolean().optional(),
  use_min_interrupt_words: boolean().optional(),
  min_interrupt_words: integer({ minimum: 0, maximum: 10 }).optional(),
  variables: variables().optional(),
  post_call_schema: writtenPostCallSchema().optional(),
  tools: writtenTools.optional(),
  tool_ids: nullable(list(integer(), { maximum: MAX_TOOL_IDS })).optional(),
  end_call_tool: endCallTool.optional(),
  'end_call_tool.description': endCallDescription.optional(),
  llm_temperature: number({ minimum: 0, maximum: 1 }).optional(),
  voice_stability: number({ minimum: 0, maximum: 1 }).optional(),
  voice_similarity: number({ minimum: 0, maximum: 1 }).optional(),
  speech_speed: number({ minimum: 0.7, maximum: 1.2 }).optional(),
  allow_interruptions: boolean().optional(),
  filler_audios: boolean().optional(),
  fillers: boolean().optional(),
  filler_config: fillerLists.optional(),
  re_engagement_interval: integer({ minimum: 7, maximum: 600 }).optional(),
  reengagement_interval: integer({ minimum: 7, maximum: 600 }).optional(),
  max_call_duration: integer({ minimum: 20, maximum: 1200 }).optional(),
  max_duration: integer({ minimum: 20, maximum: 1200 }).optional(),
  max_silence_duration: integer({ minimum: 1, maximum: 120 }).optional(),
  end_call_on_voicemail: boolean().optional(),
  noise_cancellation: boolean().optional(),
  enable_noise_cancellation: boolean().optional(),
  record_call: boolean().optional(),
  record: boolean().optional(),
  who_speaks_first: choice(['AI assistant', 'Customer']).optional(),
  wait_for_customer: boolean().optional(),
  knowledgebase_id: nullable(integer()).optional(),
  chat_llm_fallback_id: notImplemented(),
  engine_id: notImplemented(),
  flows_platform_id: notImplemented(),
  instance_id: notImplemented(),
  max_initial_silence_duration: notImplemented(),
  multimodal_model_id: notImplemented(),
  reengagement_prompt: notImplemented(),
  ringing_time: notImplemented(),
  secondary_language_ids: notImplemented(),
  synthesizer_id: notImplemented(),
  synthesizer_provider_id: notImplemented(),
  transcriber_id: notImplemented(),
  tts_emotion_enabled: notImplemented(),
  turn_detection_threshold: notImplemented(),
  voice_mail_message: notImplemented(),
  knowledgebase_mode: knowledgebaseMode.optional(),
  widget_settings: writtenWidgetSettings.optional(),
  status: choice(assistantStatuses).optional(),
});

/** Parsed values of {@link writableFields}. */
export type WritableFields = z.output<typeof writableFields>;
