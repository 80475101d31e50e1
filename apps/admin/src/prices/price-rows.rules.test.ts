import { priceListBody, type PriceList } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import {
  priceFault,
  PRICED,
  type PricedList,
  rowsOf,
  unitChoices,
  withoutPrice,
  withPrice,
} from './price-rows.rules.ts';

const prices: PriceList = {
  currency: 'EUR',
  sip_trunks: [{ sip_trunk_id: 4, name: 'Carrier', per_minute: 0.01 }],
  providers: [{ provider_id: 2, name: 'Deepgram', transcription_per_minute: 0.5, per_minute: 0 }],
  models: [],
  voices: [{ voice_id: 9, name: 'Ann', per_million_characters: 30 }],
};

describe('the table of prices', () => {
  it('has a row for each price, including a price of 0', () => {
    expect(rowsOf(prices).map(({ name, unit, price }) => [name, unit, price])).toEqual([
      ['Carrier', 'per_minute', 0.01],
      ['Deepgram', 'per_minute', 0],
      ['Deepgram', 'transcription_per_minute', 0.5],
      ['Ann', 'per_million_characters', 30],
    ]);
    expect(rowsOf(prices)[3]).toMatchObject({ list: 'voices', id: 9 });
  });
});

describe('a price that is set', () => {
  it('is added to the other prices of the same row', () => {
    const key = { list: 'voices', id: 9, unit: 'per_million_input_tokens' } as const;
    const input = withPrice(prices, key, '1.5');
    expect(priceListBody.parse(input).voices).toEqual([
      { voice_id: 9, per_million_characters: 30, per_million_input_tokens: 1.5 },
    ]);
    expect(priceListBody.parse(input).providers).toHaveLength(1);
  });

  it('creates the entry of a row without prices', () => {
    const key = { list: 'models', id: 7, unit: 'per_million_output_tokens' } as const;
    const input = withPrice(prices, key, '2');
    expect(priceListBody.parse(input).models).toEqual([{ llm_model_id: 7, per_million_output_tokens: 2 }]);
  });

  it('leaves the currency as it is on the server', () => {
    const input = withPrice(prices, { list: 'sip_trunks', id: 4, unit: 'per_minute' }, '0.02');
    expect(input).not.toHaveProperty('currency');
  });

  it('replaces the existing price', () => {
    const input = withPrice(prices, { list: 'sip_trunks', id: 4, unit: 'per_minute' }, '0.02');
    expect(priceListBody.parse(input).sip_trunks).toEqual([{ sip_trunk_id: 4, per_minute: 0.02 }]);
  });
});

it('only faults of the price are shown at the price', () => {
  const faults = { 'voices.3.per_minute': ['The voices.3.per_minute format is invalid.'] };
  expect(priceFault(faults, 'per_minute')).toBe('The price format is invalid.');
  expect(priceFault(faults, 'per_million_characters')).toBeUndefined();
});

describe('a price that is removed', () => {
  it('keeps the other prices of the same row', () => {
    const input = withoutPrice(prices, { list: 'providers', id: 2, unit: 'per_minute' });
    expect(priceListBody.parse(input).providers).toEqual([{ provider_id: 2, transcription_per_minute: 0.5 }]);
  });

  it('removes the entry of its row if it was the last price', () => {
    const input = withoutPrice(prices, { list: 'sip_trunks', id: 4, unit: 'per_minute' });
    expect(priceListBody.parse(input)).toMatchObject({ sip_trunks: [], voices: [{ voice_id: 9 }] });
  });
});

it('every price in the form exists in the API', () => {
  for (const list of Object.keys(PRICED) as PricedList[])
    for (const { value: unit } of unitChoices(list)) {
      const empty: PriceList = { currency: null, sip_trunks: [], providers: [], models: [], voices: [] };
      const input = withPrice(empty, { list, id: 1, unit }, '1');
      expect(priceListBody.parse(input)[list][0]).toMatchObject({ [unit]: 1 });
    }
});
