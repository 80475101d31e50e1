/** The names of prices in the API, and their units. */
import type { PriceUnit } from '@parley/db';

/** Each price once. */
export const PRICE_FIELDS = [
  { field: 'per_minute', unit: 'minute' },
  { field: 'transcription_per_minute', unit: 'second' },
  { field: 'per_million_characters', unit: 'character' },
  { field: 'per_million_input_tokens', unit: 'input_token' },
  { field: 'per_million_cached_tokens', unit: 'cached_input_token' },
  { field: 'per_million_audio_input_tokens', unit: 'audio_input_token' },
  { field: 'per_million_output_tokens', unit: 'output_token' },
  { field: 'per_million_audio_output_tokens', unit: 'audio_output_token' },
] as const satisfies readonly { field: string; unit: PriceUnit }[];

/** The name of one price. */
export type PricedField = (typeof PRICE_FIELDS)[number]['field'];

/** @param prices - in the order of their units */
export function pricesByField(
  units: readonly PriceUnit[],
  prices: readonly number[],
): Partial<Record<PricedField, number>> {
  return Object.fromEntries(
    PRICE_FIELDS.flatMap(({ field, unit }) => {
      const price = prices[units.indexOf(unit)];
      return price === undefined ? [] : [[field, price]];
    }),
  );
}
