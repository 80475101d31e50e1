/**
 * The price list, set by operators: what lines, providers, models and voices cost. A call keeps the prices it was charged
 * by; see `costs` of the call's detail. All amounts of an installation have one currency. How the costs of a call are calculated:
 * docs/decisions/costs.md
 */
import { z } from 'zod';
import { c, metadata } from './contract.ts';
import { bodyErrors } from './errors.ts';
import { integer, list, nullable, number, shape, text } from './fields.ts';
import { wording } from './field-wording.ts';
import { written } from './answers.ts';

/** More decimals than this are refused, not rounded. */
const MAX_DECIMALS = 6;
const MAX_PRICE = 10_000;
/** The maximum number of prices of each kind. */
const MAX_ENTRIES = 5000;
/** Four lists of entries with up to seven values. */
const MAX_VALUES = 150_000;

function hasFewDecimals(value: number): boolean {
  return Number(value.toFixed(MAX_DECIMALS)) === value;
}

const price = () =>
  number({ minimum: 0, maximum: MAX_PRICE }).refine(hasFewDecimals, { error: wording.format });
/** Three capital letters; which ones exist is known on the server. */
const currency = () =>
  text()
    .regex(/^[A-Z]{3}$/, wording.format)
    .meta({ pattern: '^[A-Z]{3}$' });
const optionalPrice = () => nullable(price()).optional();
const readPrice = () => z.number().optional();

/** Prices of a million tokens, as they are read. */
const tokenPrices = {
  per_million_input_tokens: readPrice(),
  per_million_cached_tokens: readPrice(),
  per_million_audio_input_tokens: readPrice(),
  per_million_output_tokens: readPrice(),
  per_million_audio_output_tokens: readPrice(),
};
const voicePrices = { per_million_characters: readPrice(), ...tokenPrices };
const providerPrices = { per_minute: readPrice(), transcription_per_minute: readPrice(), ...voicePrices };

/** The price list as it is read. A price that is absent is not known. */
export const priceList = z
  .strictObject({
    /** ISO 4217, of all prices, costs and limits of costs; null: they have none. */
    currency: z.string().nullable(),
    sip_trunks: z.array(z.strictObject({ sip_trunk_id: z.int(), name: z.string(), per_minute: z.number() })),
    /** `per_minute` applies to the conversation; the others to its models and voices without separate prices. */
    providers: z.array(z.strictObject({ provider_id: z.int(), name: z.string(), ...providerPrices })),
    models: z.array(z.strictObject({ llm_model_id: z.int(), name: z.string(), ...tokenPrices })),
    voices: z.array(z.strictObject({ voice_id: z.int(), name: z.string(), ...voicePrices })),
  })
  .meta({ id: 'PriceList' });

const tokenPriceFields = {
  per_million_input_tokens: optionalPrice(),
  per_million_cached_tokens: optionalPrice(),
  per_million_audio_input_tokens: optionalPrice(),
  per_million_output_tokens: optionalPrice(),
  per_million_audio_output_tokens: optionalPrice(),
};
const voicePriceFields = { per_million_characters: optionalPrice(), ...tokenPriceFields };
const providerPriceFields = {
  per_minute: optionalPrice(),
  transcription_per_minute: optionalPrice(),
  ...voicePriceFields,
};

/** Body of PUT /api/user/prices: the whole list. */
export const priceListBody = shape({
  /** Absent: unchanged. Amounts are not converted. */
  currency: nullable(currency()).optional(),
  sip_trunks: list(shape({ sip_trunk_id: integer(), per_minute: price() }), { maximum: MAX_ENTRIES }).default(
    [],
  ),
  providers: list(shape({ provider_id: integer(), ...providerPriceFields }), {
    maximum: MAX_ENTRIES,
  }).default([]),
  models: list(shape({ llm_model_id: integer(), ...tokenPriceFields }), { maximum: MAX_ENTRIES }).default([]),
  voices: list(shape({ voice_id: integer(), ...voicePriceFields }), { maximum: MAX_ENTRIES }).default([]),
});

/** The price list as it is read. */
export type PriceList = z.output<typeof priceList>;
/** The price list as it is written. */
export type PriceListInput = z.output<typeof priceListBody>;

/** The endpoints of the price list. */
export const prices = c.router({
  get: {
    method: 'GET',
    path: '/api/user/prices',
    summary: 'What calls cost',
    responses: { 200: priceList },
    metadata: metadata({ scope: 'read', role: 'operator' }),
  },
  set: {
    method: 'PUT',
    path: '/api/user/prices',
    summary: 'Replace the price list; calls that have ended keep their costs',
    body: priceListBody,
    responses: { 200: written(priceList).meta({ id: 'PriceListWritten' }), ...bodyErrors },
    metadata: metadata({ scope: 'write', role: 'operator', maxBodyValues: MAX_VALUES }),
  },
});
