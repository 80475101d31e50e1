/** The prices that operators set, and the costs that calls store. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId } from './columns.ts';
import { Trunk } from './line.ts';
import { LlmModel, Provider, Voice } from './lookup.ts';

/** The units of usage. The kinds of tokens do not overlap. */
const USAGE_UNITS = [
  'second',
  'character',
  'input_token',
  'cached_input_token',
  'audio_input_token',
  'output_token',
  'audio_output_token',
] as const;
/** A unit of usage. */
export type UsageUnit = (typeof USAGE_UNITS)[number];
/** The units of prices: a minute of conversation, or a unit of usage. Seconds are those of transcription. */
const PRICE_UNITS = ['minute', ...USAGE_UNITS] as const;
/** The kind of the priced row. */
export type PriceUnit = (typeof PRICE_UNITS)[number];

/** One part of the usage and costs of a call, as stored with the call. */
export interface StoredCost {
  stage:
    | 'carrier'
    | 'provider'
    | 'transcription'
    | 'model'
    | 'voice'
    | 'speech_to_speech'
    | 'embedding'
    | 'evaluation';
  /** The id of the trunk, provider, model or voice. */
  name: string;
  /** Null if the usage is unknown. */
  quantity: number | null;
  unit: UsageUnit;
  isEstimated: boolean;
  /** The source of the amount; the values are defined in `callCost` of contracts. */
  basis: 'listed' | 'per_minute' | 'built_in' | 'unknown';
  /** Null without one. */
  price: number | null;
  /** The number of units of one price. */
  pricePer: number;
  /** Null if it is unknown. */
  amount: number | null;
}

/** One price of one trunk, provider, model or voice. */
export const Price = defineEntity({
  name: 'Price',
  tableName: 'prices',
  checks: [
    {
      name: 'prices_target_check',
      expression: 'num_nonnulls(trunk_id, provider_id, llm_model_id, voice_id) = 1',
    },
  ],
  uniques: [
    { name: 'prices_trunk_id_unit_unique', properties: ['trunkId', 'unit'] },
    { name: 'prices_provider_id_unit_unique', properties: ['providerId', 'unit'] },
    { name: 'prices_llm_model_id_unit_unique', properties: ['llmModelId', 'unit'] },
    { name: 'prices_voice_id_unit_unique', properties: ['voiceId', 'unit'] },
  ],
  properties: {
    id: generatedId(),
    trunkId: () => p.manyToOne(Trunk).mapToPk().joinColumn('trunk_id').deleteRule('cascade').strictNullable(),
    providerId: () =>
      p.manyToOne(Provider).mapToPk().joinColumn('provider_id').deleteRule('cascade').strictNullable(),
    llmModelId: () =>
      p.manyToOne(LlmModel).mapToPk().joinColumn('llm_model_id').deleteRule('cascade').strictNullable(),
    voiceId: () => p.manyToOne(Voice).mapToPk().joinColumn('voice_id').deleteRule('cascade').strictNullable(),
    unit: p.enum(PRICE_UNITS),
    /** Per minute, or per million tokens or characters, in proportion. */
    price: p.decimal('number').columnType('numeric(12,6)'),
  },
});

/** A row of {@link Price}. */
export type PriceRow = InferEntity<typeof Price>;

/** What holds for all prices; one row, or none. */
export const PriceSettings = defineEntity({
  name: 'PriceSettings',
  tableName: 'price_settings',
  checks: [{ name: 'price_settings_id_check', expression: 'id = 1' }],
  properties: {
    /** Always 1. */
    id: p.integer().primary().autoincrement(false),
    /** ISO 4217. Null: amounts have no currency. */
    currency: p.text().strictNullable(),
  },
});
