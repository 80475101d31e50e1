import { expect, test } from 'vitest';
import { refusalOfDestination } from './destination.rules.ts';

const NO_LIST = { allowedCountries: null, blockedKinds: new Set(['premium']) };
const GERMANY_ONLY = { ...NO_LIST, allowedCountries: new Set(['DE']) };

test.each([
  ['a country of the list', GERMANY_ONLY, 'DE', null, null],
  ['a country outside the list', GERMANY_ONLY, 'FR', null, 'country_not_allowed'],
  ['a country of callback scams that is outside the list', GERMANY_ONLY, 'LV', null, 'country_not_allowed'],
  ['any country without a list', NO_LIST, 'FR', null, null],
  ['a country of callback scams without a list', NO_LIST, 'LV', null, 'country_not_allowed'],
  ['a kind that is blocked', GERMANY_ONLY, 'DE', 'premium', 'number_type_blocked'],
  ['a kind that is blocked, in no country', GERMANY_ONLY, null, 'premium', 'number_type_blocked'],
  ['a kind that is not blocked', GERMANY_ONLY, 'DE', 'shared-cost', null],
  ['a number of no country', GERMANY_ONLY, null, null, null],
] as const)('%s', (_what, policy, country, kind, refusal) => {
  const destination = { country, kind } as Parameters<typeof refusalOfDestination>[1];
  expect(refusalOfDestination(policy, destination)).toBe(refusal);
});

test('a country of callback scams may be put on the list', () => {
  const policy = { ...NO_LIST, allowedCountries: new Set(['LV']) };
  expect(refusalOfDestination(policy, { country: 'LV', kind: null })).toBeNull();
});
