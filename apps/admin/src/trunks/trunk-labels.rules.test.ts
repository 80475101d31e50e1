import { expect, test } from 'vitest';
import { registrationState, trunkAddress, trunkLimits, trunkState } from './trunk-labels.rules.ts';

const proven = { paused_until: null, first_success_at: '2026-01-01T00:00:00.000000Z' };

test.each([
  ['healthy', null, 'Ready', null],
  [
    'paused',
    '14:05',
    'Paused',
    'Paused because most calls on this trunk failed. No calls are placed on it until 14:05.',
  ],
  ['on-trial', '14:05', 'Recovering', 'One call at a time is placed to check whether the trunk works again.'],
] as const)('the state of a trunk that is %s', (state, until, label, reason) => {
  expect(trunkState({ health: { ...proven, state }, is_test: false }, until)).toEqual({ label, reason });
});

test('a trunk without a successful call is not ready, except for the built-in test trunk', () => {
  const health = { ...proven, state: 'healthy', first_success_at: null } as const;
  expect(trunkState({ health, is_test: false }, null).label).toBe('Not tried yet');
  expect(trunkState({ health, is_test: true }, null).label).toBe('Ready');
});

test.each([
  ['sip.example.com', 'sip.example.com:5060 over UDP'],
  ['2001:db8::1', '[2001:db8::1]:5060 over UDP'],
])('the address of %s reads %s', (host, text) => {
  expect(trunkAddress({ host, port: 5060, transport: 'udp' })).toBe(text);
});

test.each([
  [null, null, 'None'],
  [3, null, '3 concurrent'],
  [null, 2, '2 per second'],
  [3, 2, '3 concurrent, 2 per second'],
])('limits %s and %s read "%s"', (max_calls, max_cps, text) => {
  expect(trunkLimits({ max_calls, max_cps })).toBe(text);
});

const noFailure = { sip_status: 200, reason: null, since: null, expires_at: null };

test.each([
  ['registered', '14:05', 'Registered since 14:05'],
  ['registering', null, 'Registering'],
] as const)('a trunk that is %s says so', (state, since, label) => {
  expect(registrationState({ ...noFailure, state }, since)).toEqual({ label, reason: null });
});

test.each([
  [401, 'Wrong user name or password.'],
  [407, 'Wrong user name or password.'],
  [403, 'The registrar refuses the account (SIP status 403).'],
  [404, 'The registrar refuses the account (SIP status 404).'],
  [603, 'The registrar refuses the account (SIP status 603).'],
  [503, 'The registrar is not available now (SIP status 503).'],
  [408, 'No answer from the registrar.'],
  [null, 'No answer from the registrar.'],
])('the cause of a registration that failed with %s', (sip_status, cause) => {
  const failed = { ...noFailure, state: 'failed', sip_status } as const;
  expect(registrationState(failed, null)).toEqual({ label: 'Not registered', reason: cause });
  const told = registrationState({ ...failed, reason: 'It says so.' }, '9:00');
  expect(told).toEqual({ label: 'Not registered since 9:00', reason: `${cause} It says so.` });
});
