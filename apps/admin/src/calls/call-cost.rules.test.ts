import type { CallCost, CallDetail } from '@parley/contracts';
import { expect, it } from 'vitest';
import { formatAmount } from '../ui/format.rules.ts';
import { costRow, totalText } from './call-cost.rules.ts';

const format = (amount: number) => formatAmount(amount, null);

const cost = (changes: Partial<CallCost>): CallCost => ({
  stage: 'model',
  name: 'A model',
  quantity: 12_345,
  unit: 'input_token',
  is_estimated: false,
  basis: 'listed',
  price: 2.5,
  price_per: 1_000_000,
  amount: 0.030863,
  ...changes,
});

it.each<[string, Partial<CallCost>, string, string]>([
  ['has its price', {}, '12,345 input tokens', '0.030863'],
  ['is estimated', { is_estimated: true }, 'about 12,345 input tokens', '0.030863'],
  ['has a price of zero', { price: 0, amount: 0 }, '12,345 input tokens', '0.00'],
  ['has no price', { basis: 'unknown', amount: null }, '12,345 input tokens', 'price not set'],
  ['was not reported', { quantity: null, basis: 'unknown', amount: null }, 'not reported', 'price not set'],
  ['runs on this machine', { basis: 'built_in', amount: 0 }, '12,345 input tokens', 'built in'],
  [
    'is included in the minutes',
    { basis: 'per_minute', amount: 0 },
    '12,345 input tokens',
    'included in the minutes',
  ],
])('a part that %s', (_sentence, changes, quantity, amount) => {
  expect(costRow(cost(changes), format)).toEqual({ stage: 'Model', name: 'A model', quantity, amount });
});

it.each([
  [true, '0.035'],
  [false, '0.035 + items without a price'],
])('the total of complete costs: %s', (are_costs_complete, text) => {
  expect(totalText({ total_cost: 0.035, are_costs_complete } as CallDetail, format)).toBe(text);
});
