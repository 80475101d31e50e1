import { expect, it } from 'vitest';
import { isAtTrunk, reasonOfStatus, statusOfRefusal } from './referral.rules.ts';

it.each([
  ['not_a_number', 403],
  ['country_not_allowed', 403],
  ['do_not_call', 403],
  ['other_host', 403],
  ['in_call', 486],
  ['trunk_calls', 503],
  ['unreachable', 503],
  ['busy', 603],
  ['over', 603],
] as const)('a REFER that is refused because of %s gets %i', (reason, status) => {
  expect(statusOfRefusal(reason)).toBe(status);
});

it.each([
  [486, 'busy'],
  [600, 'busy'],
  [408, 'no_answer'],
  [480, 'no_answer'],
  [487, 'no_answer'],
  [403, 'rejected'],
  [503, 'rejected'],
])('a party that answers %i: %s', (status, reason) => {
  expect(reasonOfStatus(status)).toBe(reason);
});

it.each([
  [null, true],
  ['192.0.2.1', true],
  ['pbx.example', true],
  ['sip.example', true],
  ['other.example', false],
])('a party at %s is at the trunk: %s', (host, expected) => {
  const about = { ownHosts: ['pbx.example'], trunkHosts: ['SIP.example', '192.0.2.1'] };
  expect(isAtTrunk({ host, ...about })).toBe(expected);
});
