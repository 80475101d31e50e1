/**
 * The price list as rows of a table, and changes of one price. The API replaces the whole list, so each change starts from
 * the newest version.
 */
import type { AppRouter } from '@parley/api/router';
import type { PriceList } from '@parley/contracts';
import type { inferRouterInputs } from '@trpc/server';
import type { RequestError } from '../client/request-error.ts';
import { texts } from './texts.ts';

/** The list in the input of the API. */
export type PriceInput = inferRouterInputs<AppRouter>['prices']['set'];
/** The kinds of rows with prices. */
export type PricedList = Exclude<keyof PriceList, 'currency'>;

/** The label of each list, and its id field. */
export const PRICED: Record<PricedList, { label: string; idField: string }> = {
  sip_trunks: { label: texts.lists.trunks, idField: 'sip_trunk_id' },
  providers: { label: texts.lists.providers, idField: 'provider_id' },
  models: { label: texts.lists.models, idField: 'llm_model_id' },
  voices: { label: texts.lists.voices, idField: 'voice_id' },
};

const UNITS = {
  per_minute: texts.units.callMinute,
  transcription_per_minute: texts.units.transcriptionMinute,
  per_million_characters: texts.units.characters,
  per_million_input_tokens: texts.units.inputTokens,
  per_million_cached_tokens: texts.units.cachedTokens,
  per_million_audio_input_tokens: texts.units.audioInputTokens,
  per_million_output_tokens: texts.units.outputTokens,
  per_million_audio_output_tokens: texts.units.audioOutputTokens,
} as const;

/** The unit of a price. */
export type PriceUnit = keyof typeof UNITS;

const unitNames = Object.keys(UNITS) as PriceUnit[];
const tokenUnits = unitNames.filter((unit) => unit.endsWith('_tokens'));

const UNITS_OF: Record<PricedList, readonly PriceUnit[]> = {
  sip_trunks: ['per_minute'],
  providers: unitNames,
  models: tokenUnits,
  voices: ['per_million_characters', ...tokenUnits],
};

/** The possible units of a price. */
export function unitChoices(list: PricedList): { value: PriceUnit; label: string }[] {
  return UNITS_OF[list].map((value) => ({ value, label: UNITS[value] }));
}

/** Identifies a price. */
export interface PriceKey {
  list: PricedList;
  id: number;
  unit: PriceUnit;
}

/** A row of the table. */
export interface PriceRow extends PriceKey {
  name: string;
  unitLabel: string;
  price: number;
}

type Entry = Record<string, number | string | undefined>;

function entriesOf(prices: PriceList, list: PricedList): Entry[] {
  return prices[list].map((entry) => ({ ...entry }));
}

/** Every price, in the order of the lists. */
export function rowsOf(prices: PriceList): PriceRow[] {
  const lists = Object.keys(PRICED) as PricedList[];
  return lists.flatMap((list) => entriesOf(prices, list).flatMap((entry) => rowsOfEntry(list, entry)));
}

function rowsOfEntry(list: PricedList, entry: Entry): PriceRow[] {
  return unitNames.flatMap((unit) => {
    const price = entry[unit];
    if (price === undefined) return [];
    const id = Number(entry[PRICED[list].idField]);
    return [{ list, id, unit, name: String(entry['name']), unitLabel: UNITS[unit], price: Number(price) }];
  });
}

function isOf(key: PriceKey): (entry: Entry) => boolean {
  return (entry) => entry[PRICED[key.list].idField] === key.id;
}

/** Without the currency, which stays as it is on the server. */
function withEntries(prices: PriceList, list: PricedList, entries: Entry[]): PriceInput {
  const { currency: _, ...lists } = prices;
  return { ...lists, [list]: entries };
}

/** @param price - the entered text, which the server parses */
export function withPrice(prices: PriceList, key: PriceKey, price: string): PriceInput {
  const entries = entriesOf(prices, key.list);
  const found = entries.findIndex(isOf(key));
  const index = found === -1 ? entries.length : found;
  const before = entries[index] ?? { [PRICED[key.list].idField]: key.id };
  entries[index] = { ...before, [key.unit]: price };
  return withEntries(prices, key.list, entries);
}

/** Whether a fault concerns prices of this unit. The stored prices are valid, so it is the new one. */
export function isAtPrice(path: string, unit: PriceUnit): boolean {
  return path.endsWith(`.${unit}`);
}

/** The fault of the new price, if any. */
export function priceFault(faults: RequestError['fields'], unit: PriceUnit): string | undefined {
  const found = Object.entries(faults).find(([path]) => isAtPrice(path, unit));
  return found && found[1][0]?.replaceAll(found[0], 'price');
}

/** The list without one price, and without entries that have no price left. */
export function withoutPrice(prices: PriceList, key: PriceKey): PriceInput {
  const entries = entriesOf(prices, key.list).flatMap((entry) => {
    if (!isOf(key)(entry)) return [entry];
    const { [key.unit]: _, ...rest } = entry;
    return unitNames.some((unit) => rest[unit] !== undefined) ? [rest] : [];
  });
  return withEntries(prices, key.list, entries);
}
