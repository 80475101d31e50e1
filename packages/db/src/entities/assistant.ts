/** An assistant: all settings of its conversations. Calls store a frozen copy. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { AssistantGroup } from './assistant-group.ts';
import { document, generatedId, instant, looseId, optionalInstant, owner } from './columns.ts';
import { Language, LlmModel, Voice } from './lookup.ts';
import { PhoneNumber } from './phone-number.ts';

/** One field of an evaluation. */
export interface PostCallField {
  name: string;
  type: 'string' | 'number' | 'bool';
  description: string;
}

/** A tool in the form that clients read. */
export interface AssistantTool {
  type: string;
  data: Record<string, unknown>;
}

/** What is removed from the words of calls. */
export type RedactedKind = 'card_number' | 'email' | 'phone_number';

/** Filler phrases before an answer, by the mood of the customer's utterance. */
export interface FillerConfig {
  neutral: string[];
  negative: string[];
  positive: string[];
  question: string[];
}

const setting = () => p.decimal('number').columnType('numeric');

export const Assistant = defineEntity({
  name: 'Assistant',
  tableName: 'assistants',
  indexes: [
    { name: 'assistants_user_id_id_index', properties: ['userId', 'id'] },
    {
      name: 'assistants_to_erase_index',
      properties: ['deletedAt'],
      where: 'deleted_at is not null and erased_at is null',
    },
  ],
  uniques: [
    {
      // A number has at most one inbound assistant; the index decides between concurrent writes.
      name: 'assistants_inbound_number_unique',
      properties: ['phoneNumberId'],
      where: `type = 'inbound' and deleted_at is null`,
    },
  ],
  properties: {
    id: generatedId(),
    userId: owner,
    uuid: p.uuid().unique(),
    name: p.text(),
    type: p.enum(['inbound', 'outbound']),
    status: p.enum(['active', 'inactive']),
    mode: p.enum(['pipeline', 'multimodal']),
    phoneNumberId: () =>
      p
        .manyToOne(PhoneNumber)
        .mapToPk()
        .joinColumn('phone_number_id')
        .deleteRule('set null')
        .strictNullable(),
    engineId: looseId().strictNullable(),
    synthesizerId: looseId().strictNullable(),
    transcriberId: looseId().strictNullable(),
    instanceId: looseId().strictNullable(),
    transcriberProviderId: looseId().strictNullable(),
    synthesizerProviderId: looseId().strictNullable(),
    voiceId: () => p.manyToOne(Voice).mapToPk().joinColumn('voice_id'),
    languageId: () => p.manyToOne(Language).mapToPk().joinColumn('language_id'),
    llmModelId: () => p.manyToOne(LlmModel).mapToPk().joinColumn('llm_model_id'),
    multimodalModelId: looseId().strictNullable(),
    timezone: p.text(),
    initialMessage: p.text(),
    systemPrompt: p.text(),
    variables: document<Record<string, unknown>>(),
    tools: document<AssistantTool[]>(),
    isPostCallEvaluated: p.boolean(),
    postCallSchema: document<PostCallField[]>(),
    areFillersOn: p.boolean(),
    fillerConfig: document<FillerConfig>(),
    isWebhookActive: p.boolean(),
    webhookUrl: p.text().strictNullable(),
    inboundWebhookUrl: p.text().strictNullable(),
    /** Receives the end of written conversations. */
    conversationEndedWebhookUrl: p.text().strictNullable(),
    /** Written conversations end after this long without a message. */
    conversationInactivityMinutes: p.integer().default(30),
    /** The end of a written conversation that was reopened is reported again. */
    isConversationEndRepeated: p.boolean().default(false),
    isWebhookOnlyOnCompleted: p.boolean(),
    isRecordingInWebhook: p.boolean(),
    maxDurationSeconds: p.integer(),
    maxSilenceSeconds: p.integer(),
    reengagementSeconds: p.integer(),
    isRecorded: p.boolean(),
    isEndedOnVoicemail: p.boolean(),
    llmTemperature: setting(),
    voiceStability: setting(),
    voiceSimilarity: setting(),
    speechSpeed: setting(),
    ambientSound: p.text(),
    ambientSoundVolume: setting(),
    isInterruptible: p.boolean(),
    isNoiseCancelled: p.boolean(),
    endpointType: p.enum(['vad', 'ai']),
    endpointSensitivity: setting(),
    interruptSensitivity: setting(),
    minInterruptWords: p.integer(),
    isCustomerFirst: p.boolean(),
    /** For outbound calls: the longest silence after the answer before the initial message. */
    initialMessageDelaySeconds: setting().default(1),
    isInitialMessageInterruptible: p.boolean().default(true),
    /** The key by which a caller asks not to be called again. */
    optOutKey: p.text().strictNullable(),
    /** What is removed from the words of its calls. */
    redact: p.array().columnType('text[]').$type<RedactedKind[]>().default([]),
    /** Spoken before anything else in every call. */
    disclosureMessage: p.text().strictNullable(),
    /** The names of the models that replace the model of the assistant when it fails, in order. */
    fallbackLlmModels: document<string[]>().default([]),
    flowsPlatformId: looseId().strictNullable(),
    knowledgebaseId: looseId().strictNullable(),
    knowledgebaseMode: p.text(),
    widgetSettings: document<Record<string, unknown>>(),
    folderId: () =>
      p.manyToOne(AssistantGroup).mapToPk().joinColumn('folder_id').deleteRule('set null').strictNullable(),
    labelIds: document<number[]>().default('[]'),
    /** Tools of the account that it uses beside its own list, in order. */
    toolIds: document<number[]>().default('[]'),
    createdAt: instant(),
    updatedAt: instant(),
    deletedAt: optionalInstant(),
    /** When the configuration of a deleted assistant was erased, which happens after its last call. */
    erasedAt: optionalInstant(),
  },
});

/** A row as the ORM and `select *` read it. */
export type AssistantRow = InferEntity<typeof Assistant>;
