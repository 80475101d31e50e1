import { expect, it } from 'vitest';
import { networkOf } from './network-of.ts';

const rows: [string, string, string][] = [
  ['an IPv4 address counts by itself', '192.0.2.7', '192.0.2.7'],
  ['an IPv4 address of an IPv6 socket is that address', '::ffff:192.0.2.7', '192.0.2.7'],
  ['an IPv6 address counts with its network', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['a short form is the same network', '2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['zeros in the middle count', '2001:db8::5', '2001:db8:0:0::/64'],
  ['leading zeros do not distinguish', '2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['a zone is left out', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['the loopback address', '::1', '0:0:0:0::/64'],
];

it.each(rows)('%s', (_what, address, visitor) => {
  expect(networkOf(address)).toBe(visitor);
});
