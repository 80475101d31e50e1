import { expect, test } from 'vitest';
import { emptyDraft, limitsLabel, scopesLabel, tokenState, toTokenInput } from './token-labels.rules.ts';

const NOON = '2026-01-31T12:00:00.000000Z';
const NOON_MS = Date.parse(NOON);

test.each([
  ['active without an expiry', null, null, NOON_MS, 'active'],
  ['active until its expiry', null, NOON, NOON_MS - 1, 'active'],
  ['expired from then on', null, NOON, NOON_MS, 'expired'],
  ['revoked, with any expiry', NOON, NOON, NOON_MS + 1, 'revoked'],
] as const)('a token is %s', (_name, revoked_at, expires_at, nowMs, state) => {
  expect(tokenState({ revoked_at, expires_at }, nowMs)).toBe(state);
});

test.each([
  [null, 'Full access'],
  [['read' as const], 'Read'],
  [['read' as const, 'call' as const], 'Read, call'],
])('scopes %j read %s', (scopes, label) => {
  expect(scopesLabel(scopes)).toBe(label);
});

test.each([
  [null, null, null, null],
  [['+12125550100'], null, null, '1 allowed number'],
  [[], 1, null, '0 allowed numbers, 1 call per day'],
  [null, 40, 12.5, '40 calls per day, cost 12.5 per day'],
])('limits %j, %j, %j read %s', (allowed_numbers, max_calls_per_day, max_cost_per_day, label) => {
  const limits = { allowed_numbers, max_calls_per_day, max_cost_per_day };
  expect(limitsLabel({ ...limits, requires_confirmation: false }, String)).toBe(label);
});

test('full access sends no list of scopes, and an empty field no expiry', () => {
  const input = toTokenInput({ ...emptyDraft, name: ' Script ' });
  expect(input).toEqual({
    name: 'Script',
    scopes: null,
    requires_confirmation: false,
    expires_in_days: '',
  });
  expect(toTokenInput({ ...emptyDraft, may_everything: false }).scopes).toEqual(['read']);
});
