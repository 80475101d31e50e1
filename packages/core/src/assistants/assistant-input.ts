/** Translates what clients write about an assistant to its row. Contracts has checked the fields. */
import { randomUUID } from 'node:crypto';
import {
  assistantDefaults,
  redactedKinds,
  type AssistantChanges,
  type NewAssistant,
  type RedactedKind,
} from '@parley/contracts';
import type { AssistantRow, AssistantTool, FillerConfig } from '@parley/db';
import { defaultFillers } from './filler-defaults.rules.ts';

type ReferenceIds = Pick<AssistantRow, 'voiceId' | 'languageId' | 'llmModelId' | 'phoneNumberId'> &
  Partial<Pick<AssistantRow, 'transcriberProviderId' | 'folderId' | 'labelIds'>>;

/** The resolved references of a new assistant. */
export interface NewAssistantReferences {
  ids: ReferenceIds;
  language: { iso2: string };
  /** As stored; undefined when none were sent. */
  tools?: AssistantTool[] | undefined;
}

/** The row of a new assistant: what was written, and defaults for the rest. */
export function assistantFromInput(
  input: NewAssistant,
  references: NewAssistantReferences,
  about: { userId: number; at: Date },
): Omit<AssistantRow, 'id'> {
  const given: Given = { ...DEFAULTS, ...input };
  return {
    userId: about.userId,
    uuid: randomUUID(),
    transcriberProviderId: null,
    folderId: null,
    labelIds: [],
    ...references.ids,
    ...UNUSED,
    ...(settingsFrom(given) as Complete<Settings>),
    tools: toolsFrom(input, references.tools ?? []),
    fillerConfig: fillersFrom(input, defaultFillers(references.language.iso2)),
    createdAt: about.at,
    updatedAt: about.at,
    deletedAt: null,
    erasedAt: null,
  };
}

/** The changed row. Fields that were not sent keep their values; a field that was sent replaces the old value as a whole. */
export function changedAssistant(
  row: AssistantRow,
  changes: AssistantChanges & { ids: Partial<ReferenceIds>; sealedTools: AssistantTool[] | undefined },
  at: Date,
): AssistantRow {
  return {
    ...row,
    ...withoutUndefined(settingsFrom(changes)),
    // A webhook without an address cannot be active.
    ...(changes.webhook_url === null && { isWebhookActive: false }),
    ...changes.ids,
    tools: toolsFrom(changes, changes.sealedTools ?? row.tools),
    fillerConfig: fillersFrom(changes, row.fillerConfig),
    updatedAt: at,
  };
}

const DEFAULTS = {
  ...assistantDefaults,
  post_call_schema: [...assistantDefaults.post_call_schema],
  fallback_llm_models: [],
  redact: [] as RedactedKind[],
  tool_ids: [],
  variables: {},
  knowledgebase_id: null,
  knowledgebase_mode: '' as const,
  widget_settings: {},
  webhook_url: null,
  inbound_webhook_url: null,
  conversation_ended_webhook_url: null,
};

type Given = Omit<NewAssistant, keyof typeof DEFAULTS> & Required<Pick<NewAssistant, keyof typeof DEFAULTS>>;

/** Fields of the API that have no meaning here. */
const UNUSED = {
  engineId: null,
  synthesizerId: null,
  transcriberId: null,
  instanceId: null,
  synthesizerProviderId: null,
  multimodalModelId: null,
  flowsPlatformId: null,
} as const;

type Settings = ReturnType<typeof settingsFrom>;
/** {@link Given} has all fields, so none of the settings is undefined. */
type Complete<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

function settingsFrom(sent: AssistantChanges) {
  return { ...plainSettings(sent), ...behaviourSettings(sent) };
}

/** Name, prompts, evaluation and webhooks. Undefined where nothing was sent. */
function plainSettings(sent: AssistantChanges) {
  return {
    name: sent.name,
    type: sent.type,
    status: sent.status,
    mode: sent.mode,
    timezone: sent.timezone,
    initialMessage: sent.initial_message,
    systemPrompt: sent.system_prompt,
    variables: sent.variables,
    isPostCallEvaluated: sent.post_call_evaluation,
    postCallSchema: sent.post_call_schema,
    isWebhookActive: sent.is_webhook_active,
    webhookUrl: sent.webhook_url,
    inboundWebhookUrl: sent.inbound_webhook_url,
    conversationEndedWebhookUrl: sent.conversation_ended_webhook_url,
    conversationInactivityMinutes: sent.conversation_inactivity_timeout,
    isConversationEndRepeated: sent.conversation_ended_retrigger,
    isWebhookOnlyOnCompleted: sent.send_webhook_only_on_completed,
    isRecordingInWebhook: sent.include_recording_in_webhook,
    knowledgebaseId: sent.knowledgebase_id,
    knowledgebaseMode: sent.knowledgebase_mode,
    widgetSettings: sent.widget_settings,
  };
}

/** How it speaks and listens. Undefined where nothing was sent. */
function behaviourSettings(sent: AssistantChanges) {
  return {
    areFillersOn: sent.fillers,
    maxDurationSeconds: sent.max_duration,
    maxSilenceSeconds: sent.max_silence_duration,
    reengagementSeconds: sent.reengagement_interval,
    isRecorded: sent.record,
    isEndedOnVoicemail: sent.end_call_on_voicemail,
    llmTemperature: sent.llm_temperature,
    voiceStability: sent.voice_stability,
    voiceSimilarity: sent.voice_similarity,
    speechSpeed: sent.speech_speed,
    ambientSound: sent.ambient_sound,
    ambientSoundVolume: sent.ambient_sound_volume,
    isInterruptible: sent.allow_interruptions,
    isNoiseCancelled: sent.enable_noise_cancellation,
    endpointType: sent.endpoint_type,
    endpointSensitivity: sent.endpoint_sensitivity,
    interruptSensitivity: sent.interrupt_sensitivity,
    minInterruptWords: sent.min_interrupt_words,
    isCustomerFirst: sent.wait_for_customer,
    initialMessageDelaySeconds: sent.initial_message_delay,
    isInitialMessageInterruptible: sent.initial_message_interruptible,
    optOutKey: sent.opt_out_key,
    redact: sent.redact && redactedKinds.filter((kind) => sent.redact?.includes(kind)),
    disclosureMessage: sent.disclosure_message,
    fallbackLlmModels: sent.fallback_llm_models,
    toolIds: sent.tool_ids === null ? [] : sent.tool_ids,
  };
}

/** A description of the end_call tool creates the tool where it is missing. */
function toolsFrom(changes: AssistantChanges, tools: AssistantTool[]): AssistantTool[] {
  if (changes.endCallDescription === undefined) return tools;
  const described = { type: 'end_call', data: { description: changes.endCallDescription } };
  return [...tools.filter((tool) => tool.type !== 'end_call'), described];
}

/** Lists that were not sent stay as they are. */
function fillersFrom({ filler_config: sent }: AssistantChanges, stored: FillerConfig): FillerConfig {
  return {
    neutral: sent?.neutral ?? stored.neutral,
    negative: sent?.negative ?? stored.negative,
    positive: sent?.positive ?? stored.positive,
    question: sent?.question ?? stored.question,
  };
}

function withoutUndefined<Fields extends object>(fields: Fields): Partial<Complete<Fields>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Complete<Fields>
  >;
}
