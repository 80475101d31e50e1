import { expect, test } from 'vitest';
import { trunkAddress, trunkLimits, trunkState } from './trunk-words.rules.ts';

test.each([
  ['healthy', null, 'Ready', null],
  ['paused', '14:05', 'Paused', 'It failed most of its calls, so nothing is dialed on it until 14:05.'],
  ['on-trial', '14:05', 'On trial', 'One call at a time shows whether it works again.'],
] as const)('a trunk that is %s says so', (state, until, label, reason) => {
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
  [3, null, '3 at once'],
  [null, 2, '2 a second'],
  [3, 2, '3 at once, 2 a second'],
])('limits %s and %s read "%s"', (max_calls, max_cps, text) => {
  expect(trunkLimits({ max_calls, max_cps })).toBe(text);
});
