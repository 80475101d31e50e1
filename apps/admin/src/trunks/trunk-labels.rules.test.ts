import { expect, test } from 'vitest';
import { trunkAddress, trunkLimits, trunkState } from './trunk-labels.rules.ts';

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
  expect(trunkState({ state, paused_until: null }, until)).toEqual({ label, reason });
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
