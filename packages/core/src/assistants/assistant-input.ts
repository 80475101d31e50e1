/** The one translator from what clients write about an assistant to our own row. Field rules were checked by contracts. */
import { randomUUID } from 'node:crypto';
import { assistantDefaults, type NewAssistant } from '@parley/contracts';
import type { AssistantRow, AssistantTool, FillerConfig } from '@parley/db';
import type { AssistantReferences } from './assistant-references.ts';
import { defaultFillers } from './filler-defaults.rules.ts';

/** The row of a new assistant: what was written, and defaults for the rest. */
export function assistantFromInput(
  input: NewAssistant,
  references: AssistantReferences,
  about: { userId: number; at: Date },
): Omit<AssistantRow, 'id'> {
  const given: Given = { ...DEFAULTS, ...input };
  return {
    userId: about.userId,
    uuid: randomUUID(),
    name: given.name,
    type: given.type,
    status: given.status,
    mode: given.mode,
    ...references.ids,
    ...UNUSED,
    timezone: given.timezone,
    initialMessage: given.initial_message,
    systemPrompt: given.system_prompt,
    variables: given.variables ?? {},
    tools: toolsFrom(input),
    isPostCallEvaluated: given.post_call_evaluation,
    postCallSchema: given.post_call_schema,
    fillerConfig: fillersFrom(input, references.language.iso2),
    ...webhookSettings(given),
    ...behaviourSettings(given),
    knowledgebaseMode: given.knowledgebase_mode ?? '',
    widgetSettings: given.widget_settings ?? {},
    createdAt: about.at,
    updatedAt: about.at,
    deletedAt: null,
  };
}

type Given = Omit<NewAssistant, keyof typeof assistantDefaults> &
  Required<Pick<NewAssistant, keyof typeof assistantDefaults>>;

const DEFAULTS = { ...assistantDefaults, post_call_schema: [...assistantDefaults.post_call_schema] };

/** Fields of the specification that nothing of ours fills. */
const UNUSED = {
  engineId: null,
  synthesizerId: null,
  transcriberId: null,
  instanceId: null,
  transcriberProviderId: null,
  synthesizerProviderId: null,
  multimodalModelId: null,
  flowsPlatformId: null,
  knowledgebaseId: null,
} as const;

function webhookSettings(given: Given) {
  return {
    isWebhookActive: given.is_webhook_active,
    webhookUrl: given.webhook_url ?? null,
    inboundWebhookUrl: given.inbound_webhook_url ?? null,
    isWebhookOnlyOnCompleted: given.send_webhook_only_on_completed,
    isRecordingInWebhook: given.include_recording_in_webhook,
  };
}

function behaviourSettings(given: Given) {
  return {
    areFillersOn: given.fillers,
    maxDurationSeconds: given.max_duration,
    maxSilenceSeconds: given.max_silence_duration,
    reengagementSeconds: given.reengagement_interval,
    isRecorded: given.record,
    isEndedOnVoicemail: given.end_call_on_voicemail,
    llmTemperature: given.llm_temperature,
    voiceStability: given.voice_stability,
    voiceSimilarity: given.voice_similarity,
    speechSpeed: given.speech_speed,
    ambientSound: given.ambient_sound,
    ambientSoundVolume: given.ambient_sound_volume,
    isInterruptible: given.allow_interruptions,
    isNoiseCancelled: given.enable_noise_cancellation,
    endpointType: given.endpoint_type,
    endpointSensitivity: given.endpoint_sensitivity,
    interruptSensitivity: given.interrupt_sensitivity,
    minInterruptWords: given.min_interrupt_words,
    isCustomerFirst: given.wait_for_customer,
  };
}

/** Written flat, stored as `{ type, data }`. A description of the end_call tool makes the tool where it is missing. */
function toolsFrom(input: NewAssistant): AssistantTool[] {
  const tools: AssistantTool[] = (input.tools ?? []).map(({ type, ...data }) => ({ type, data }));
  if (input.endCallDescription === undefined) return tools;
  const described = { type: 'end_call', data: { description: input.endCallDescription } };
  return [...tools.filter((tool) => tool.type !== 'end_call'), described];
}

function fillersFrom(input: NewAssistant, iso2: string): FillerConfig {
  const defaults = defaultFillers(iso2);
  return {
    neutral: input.filler_config?.neutral ?? defaults.neutral,
    negative: input.filler_config?.negative ?? defaults.negative,
    positive: input.filler_config?.positive ?? defaults.positive,
    question: input.filler_config?.question ?? defaults.question,
  };
}
