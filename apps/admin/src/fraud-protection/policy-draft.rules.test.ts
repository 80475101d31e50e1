import type { DialPolicyRecord } from '@parley/contracts';
import { expect, test } from 'vitest';
import { draftOf, toPolicy } from './policy-draft.rules.ts';

const NONE = { calls_per_second: null, calls_per_day: null, cost_per_day: null };
const POLICY: DialPolicyRecord = {
  allowed_countries: ['AT', 'DE'],
  countries_in_force: ['AT', 'DE'],
  blocked_number_types: ['premium'],
  sms_per_day: 200,
  limits: { user: { ...NONE, calls_per_day: 100_000 }, token: NONE, trunk: { ...NONE, cost_per_day: 2.5 } },
  warnings: [],
};

test('what is read is written again unchanged', () => {
  const draft = draftOf(POLICY);
  expect(draft).toMatchObject({ countries: 'AT, DE', limits: { user: { calls_per_day: '100000' } } });
  expect(toPolicy(draft)).toEqual({
    allowed_countries: ['AT', 'DE'],
    blocked_number_types: ['premium'],
    sms_per_day: '200',
    limits: {
      user: { ...NONE, calls_per_day: '100000' },
      token: NONE,
      trunk: { ...NONE, cost_per_day: '2.5' },
    },
  });
});

test.each([
  ['', null],
  [' ', null],
  ['de', ['de']],
  ['DE,AT ; CH', ['DE', 'AT', 'CH']],
])('the countries %j mean %j', (countries, expected) => {
  expect(toPolicy({ ...draftOf(POLICY), countries }).allowed_countries).toEqual(expected);
});
