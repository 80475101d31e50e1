/** Providers of speech and models, with the names of their models, voices and languages. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId, instant, ownerOrShared } from './columns.ts';

/** A server of models or voices. `built-in` runs inside the voice process and needs neither address nor key. */
export const Provider = defineEntity({
  name: 'Provider',
  tableName: 'providers',
  properties: {
    id: generatedId(),
    userId: ownerOrShared,
    name: p.text(),
    kind: p.enum([
      'built-in',
      'openai-compatible',
      'openai',
      'anthropic',
      'google',
      'deepgram',
      'assemblyai',
      'elevenlabs',
      'cartesia',
    ]),
    baseUrl: p.text().strictNullable(),
    apiKeySealed: p.text().strictNullable(),
    /** Warnings for the operator: the key is not verified, the lists are old. */
    note: p.text().strictNullable(),
    /** For `openai-compatible`: the provider's name of the model that transcribes. Null: none is known. */
    transcriptionModel: p.text().strictNullable(),
    /** True if it was found on this machine and no operator has renamed it. What it does not list, it does not have. */
    isFound: p.boolean().default(false),
    /** True if its `audio/speech` converts sound to the `sample_rate` of a request. */
    convertsSampleRate: p.boolean().default(false),
    /** When voices and models were last read from the lists of the provider. */
    refreshedAt: instant().strictNullable(),
    createdAt: instant(),
  },
});

export const Language = defineEntity({
  name: 'Language',
  tableName: 'languages',
  properties: {
    id: generatedId(),
    name: p.text().unique(),
    /** ISO 639-1, lower case. */
    iso2: p.text().fieldName('iso_2'),
  },
});

const provider = () => p.manyToOne(Provider).mapToPk().joinColumn('provider_id').deleteRule('cascade');

export const LlmModel = defineEntity({
  name: 'LlmModel',
  tableName: 'llm_models',
  properties: {
    id: generatedId(),
    /** The value of `llm_model` of an assistant. */
    name: p.text().unique(),
    providerId: provider,
    /** The name at the provider. */
    wireName: p.text(),
    /** True if it is from the list of the provider; otherwise an operator entered it. */
    isFetched: p.boolean().default(false),
    /** `embedding`: it turns texts into vectors and holds no conversation. */
    purpose: p.enum(['conversation', 'embedding']).default('conversation'),
  },
});

export const Voice = defineEntity({
  name: 'Voice',
  tableName: 'voices',
  properties: {
    id: generatedId(),
    name: p.text().unique(),
    mode: p.enum(['pipeline', 'multimodal']),
    providerId: provider,
    /** Null: available to all users. */
    userId: ownerOrShared,
    wireName: p.text(),
    isFetched: p.boolean().default(false),
    languageId: () => p.manyToOne(Language).mapToPk().joinColumn('language_id').strictNullable(),
  },
});

/** A row of {@link Provider}. */
export type ProviderRow = InferEntity<typeof Provider>;
/** A row of {@link Language}. */
export type LanguageRow = InferEntity<typeof Language>;
/** A row of {@link LlmModel}. */
export type LlmModelRow = InferEntity<typeof LlmModel>;
/** A row of {@link Voice}. */
export type VoiceRow = InferEntity<typeof Voice>;
