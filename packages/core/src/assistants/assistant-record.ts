/** Translates an assistant's row to the API's record. The API decides the types, such as numbers sent as text. */
import {
  isoMicroseconds,
  type AssistantDetailsRecord,
  type AssistantRecord,
  type OutboundAssistantRecord,
} from '@parley/contracts';
import type { AssistantRow } from '@parley/db';
import { toolRecord } from '../tools/assistant-tools.ts';

/** The full record. */
export function assistantRecord(row: AssistantRow, language: string): AssistantRecord {
  return {
    ...outboundAssistantRecord(row),
    uuid: row.uuid,
    phone_number_id: row.phoneNumberId,
    engine_id: row.engineId,
    synthesizer_id: row.synthesizerId,
    transcriber_id: row.transcriberId,
    instance_id: row.instanceId,
    transcriber_provider_id: row.transcriberProviderId,
    synthesizer_provider_id: row.synthesizerProviderId,
    language,
    llm_model_id: row.llmModelId,
    multimodal_model_id: row.multimodalModelId,
    post_call_evaluation: row.isPostCallEvaluated,
    post_call_schema: row.postCallSchema,
    tools: row.tools.map(toolRecord),
    fillers: row.areFillersOn ? 1 : 0,
    filler_config: row.fillerConfig,
    inbound_webhook_url: row.inboundWebhookUrl,
    send_webhook_only_on_completed: row.isWebhookOnlyOnCompleted,
    include_recording_in_webhook: row.isRecordingInWebhook,
    ...behaviourRecord(row),
    flows_platform_id: row.flowsPlatformId,
    knowledgebase_id: row.knowledgebaseId,
    knowledgebase_mode: row.knowledgebaseMode,
    widget_settings: row.widgetSettings,
    deleted_at: row.deletedAt && isoMicroseconds(row.deletedAt),
  };
}

/** The record of a single assistant. */
export function assistantDetailsRecord(row: AssistantRow, language: string): AssistantDetailsRecord {
  return {
    ...assistantRecord(row, language),
    initial_message_delay: row.initialMessageDelaySeconds,
    initial_message_interruptible: row.isInitialMessageInterruptible,
    fallback_llm_models: row.fallbackLlmModels,
    disclosure_message: row.disclosureMessage,
    redact: row.redact,
    opt_out_key: row.optOutKey as AssistantDetailsRecord['opt_out_key'],
    folder_id: row.folderId,
    label_ids: row.labelIds,
    tool_ids: row.toolIds,
    conversation_ended_webhook_url: row.conversationEndedWebhookUrl,
    conversation_inactivity_timeout: row.conversationInactivityMinutes,
    conversation_ended_retrigger: row.isConversationEndRepeated,
  };
}

/** The reduced record of the list of outbound assistants. */
export function outboundAssistantRecord(row: AssistantRow): OutboundAssistantRecord {
  return {
    id: row.id,
    user_id: row.userId,
    name: row.name,
    type: row.type,
    mode: row.mode,
    status: row.status,
    voice_id: row.voiceId,
    language_id: row.languageId,
    timezone: row.timezone,
    initial_message: row.initialMessage,
    system_prompt: row.systemPrompt,
    variables: row.variables,
    webhook_url: row.webhookUrl,
    is_webhook_active: row.isWebhookActive,
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
  };
}

function behaviourRecord(row: AssistantRow) {
  return {
    max_duration: row.maxDurationSeconds,
    record: row.isRecorded,
    max_silence_duration: row.maxSilenceSeconds,
    reengagement_interval: row.reengagementSeconds,
    end_call_on_voicemail: row.isEndedOnVoicemail ? 1 : 0,
    llm_temperature: numericString(row.llmTemperature),
    voice_stability: numericString(row.voiceStability),
    voice_similarity: numericString(row.voiceSimilarity),
    speech_speed: numericString(row.speechSpeed),
    ambient_sound: row.ambientSound as AssistantRecord['ambient_sound'],
    ambient_sound_volume: numericString(row.ambientSoundVolume),
    allow_interruptions: row.isInterruptible,
    enable_noise_cancellation: row.isNoiseCancelled,
    endpoint_type: row.endpointType,
    endpoint_sensitivity: row.endpointSensitivity,
    interrupt_sensitivity: row.interruptSensitivity,
    min_interrupt_words: row.minInterruptWords,
    wait_for_customer: row.isCustomerFirst,
  } as const;
}

/** At least one decimal: `1.0`, `0.25`. Very small numbers, which JavaScript writes with an exponent, become `0.0`. */
function numericString(value: number): string {
  const text = String(value);
  if (text.includes('e')) return '0.0';
  return text.includes('.') ? text : `${text}.0`;
}
