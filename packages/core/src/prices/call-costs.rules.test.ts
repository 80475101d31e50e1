import type { StoredCost } from '@parley/db';
import { describe, expect, it } from 'vitest';
import {
  areComplete,
  callCosts,
  sumOf,
  type CallUse,
  type KnownPrice,
  type UsedQuantity,
} from './call-costs.rules.ts';

const TRUNK = 1;
const HOSTED = 2;
const BUILT_IN = 3;
const MODEL = 4;
const VOICE = 5;

const LINE = { trunkId: TRUNK, name: 'Carrier', isTest: false, seconds: 90, bridgedSeconds: 0 };
const PROVIDERS = [
  { id: HOSTED, name: 'Hosted', isBuiltIn: false },
  { id: BUILT_IN, name: 'Built in', isBuiltIn: true },
];

const price = (unit: KnownPrice['unit'], amount: number, of: Partial<KnownPrice>): KnownPrice => ({
  trunkId: null,
  providerId: null,
  llmModelId: null,
  voiceId: null,
  ...of,
  unit,
  price: amount,
});
const ofModel = { llmModelId: MODEL };
const ofVoice = { voiceId: VOICE };
const ofHosted = { providerId: HOSTED };

const tokens = (unit: UsedQuantity['unit'], quantity: number | null = 1000): UsedQuantity => ({
  stage: 'model',
  name: 'A model',
  providerId: HOSTED,
  llmModelId: MODEL,
  unit,
  quantity,
  isEstimated: false,
});
const characters = (quantity: number): UsedQuantity => ({
  stage: 'voice',
  name: 'A voice',
  providerId: HOSTED,
  voiceId: VOICE,
  unit: 'character',
  quantity,
  isEstimated: false,
});
const heard = (quantity: number): UsedQuantity => ({
  stage: 'transcription',
  name: 'Hosted',
  providerId: HOSTED,
  unit: 'second',
  quantity,
  isEstimated: false,
});

const costs = (
  used: readonly UsedQuantity[],
  prices: readonly KnownPrice[] = [],
  use: Partial<CallUse> = {},
) => callCosts({ line: null, seconds: 90, providers: PROVIDERS, used, ...use }, prices);

describe('what a part of a call costs', () => {
  it.each<[string, UsedQuantity, KnownPrice[], Partial<StoredCost>]>([
    [
      'a thousand tokens at 2.5 a million',
      tokens('input_token'),
      [price('input_token', 2.5, ofModel)],
      { basis: 'listed', price: 2.5, pricePer: 1_000_000, amount: 0.0025 },
    ],
    [
      'the price of the model is before that of its provider',
      tokens('input_token'),
      [price('input_token', 9, ofHosted), price('input_token', 2.5, ofModel)],
      { amount: 0.0025 },
    ],
    [
      "the provider's price is for models without one",
      tokens('output_token'),
      [price('output_token', 10, ofHosted), price('input_token', 2.5, ofModel)],
      { amount: 0.01 },
    ],
    [
      "another model's price is none",
      tokens('input_token'),
      [price('input_token', 2.5, { llmModelId: 99 })],
      { basis: 'unknown', price: null, amount: null },
    ],
    [
      'cached tokens have a price of their own',
      tokens('cached_input_token'),
      [price('input_token', 2.5, ofModel), price('cached_input_token', 0.25, ofModel)],
      { amount: 0.00025 },
    ],
    [
      'cached tokens without one cost what others do',
      tokens('cached_input_token'),
      [price('input_token', 2.5, ofModel)],
      { amount: 0.0025 },
    ],
    [
      'sound is dearer than text: its price is not guessed',
      tokens('audio_input_token'),
      [price('input_token', 2.5, ofModel)],
      { basis: 'unknown', amount: null },
    ],
    [
      'characters of a voice',
      characters(1234),
      [price('character', 30, ofVoice)],
      { amount: 0.03702, pricePer: 1_000_000 },
    ],
    [
      'seconds of transcription, by the minute',
      heard(12.345),
      [price('second', 0.0077, ofHosted)],
      { amount: 0.001584, pricePer: 60 },
    ],
    [
      'half a millionth is rounded up',
      tokens('input_token', 1),
      [price('input_token', 0.5, ofModel)],
      { amount: 0.000001 },
    ],
    [
      'less than half of one is rounded down',
      tokens('input_token', 1),
      [price('input_token', 0.499999, ofModel)],
      { amount: 0 },
    ],
    [
      'a price of nothing is a price',
      tokens('input_token'),
      [price('input_token', 0, ofModel)],
      { basis: 'listed', amount: 0 },
    ],
    ['no price is not free', tokens('input_token'), [], { basis: 'unknown', price: null, amount: null }],
    [
      'the quantity is unknown',
      tokens('input_token', null),
      [price('input_token', 2.5, ofModel)],
      { basis: 'unknown', price: 2.5, amount: null },
    ],
    [
      "the provider's minutes hold it",
      tokens('input_token'),
      [price('minute', 0.1, ofHosted)],
      { basis: 'per_minute', amount: 0 },
    ],
    [
      'what runs here costs nothing',
      { ...tokens('input_token'), providerId: BUILT_IN },
      [],
      { basis: 'built_in', amount: 0 },
    ],
    [
      'so does the voice in reserve',
      { ...characters(9), providerId: null },
      [],
      { basis: 'built_in', amount: 0 },
    ],
    [
      'unless it was given a price',
      { ...tokens('input_token'), providerId: BUILT_IN },
      [price('input_token', 1, { providerId: BUILT_IN })],
      { basis: 'listed', amount: 0.001 },
    ],
  ])('%s', (_sentence, used, prices, expected) => {
    expect(costs([used], prices).at(-1)).toMatchObject({
      stage: used.stage,
      quantity: used.quantity,
      ...expected,
    });
  });

  it('holds the line and the minutes of providers', () => {
    const prices = [price('minute', 0.1, { trunkId: TRUNK }), price('minute', 0.2, ofHosted)];
    expect(costs([], prices, { line: LINE })).toMatchObject([
      { stage: 'carrier', name: 'Carrier', quantity: 90, amount: 0.15 },
      { stage: 'provider', name: 'Hosted', quantity: 90, amount: 0.3 },
    ]);
  });

  it.each([
    [false, { basis: 'unknown', amount: null }],
    [true, { basis: 'built_in', amount: 0 }],
  ])('a line without a price that leads to the built-in phones: %s', (isTest, expected) => {
    expect(costs([], [], { line: { ...LINE, isTest } })).toMatchObject([expected]);
  });

  it('leaves out what was not used', () => {
    expect(costs([characters(0)], [], { line: { ...LINE, seconds: 0 }, seconds: 0 })).toEqual([]);
  });
});

describe('the sum', () => {
  const amounts = (...list: (number | null)[]): StoredCost[] =>
    list.map((amount, index) => ({
      stage: index === 0 ? 'carrier' : 'model',
      name: '',
      quantity: 1,
      unit: 'second',
      isEstimated: false,
      basis: 'listed',
      price: 1,
      pricePer: 60,
      amount,
    }));

  it.each<[(number | null)[], string]>([
    [[], '0.000000'],
    [[0.1, 0.2], '0.300000'],
    [[0.000001], '0.000001'],
    [[1.000001, 12.999999], '14.000000'],
    [[0.1, null], '0.100000'],
    [Array.from({ length: 1000 }, () => 0.1), '100.000000'],
  ])('of %j is %s', (list, sum) => {
    expect(sumOf(amounts(...list))).toBe(sum);
  });

  it('is that of one stage where it is asked for', () => {
    expect(sumOf(amounts(0.5, 0.25), 'carrier')).toBe('0.500000');
  });

  it('is complete where every part has an amount', () => {
    expect([areComplete(amounts(0.1, 0)), areComplete(amounts(0.1, null))]).toEqual([true, false]);
  });
});
