import { isIPv6 } from 'node:net';
import { describe, expect, test } from 'vitest';
import { forbiddenAddresses } from './forbidden-addresses.ts';

const LOOPBACK = ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'];
const PRIVATE = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::2',
  '::127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a00:1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '192.167.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
];

function isForbidden(address: string, allowed: 'none' | 'loopback' | 'all'): boolean {
  return forbiddenAddresses(allowed).check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

describe('by default', () => {
  test.each([...LOOPBACK, ...PRIVATE])('%s is forbidden', (address) => {
    expect(isForbidden(address, 'none')).toBe(true);
  });
  test.each(PUBLIC)('%s is allowed', (address) => {
    expect(isForbidden(address, 'none')).toBe(false);
  });
});

describe('with loopback allowed', () => {
  test.each(LOOPBACK)('%s is allowed', (address) => {
    expect(isForbidden(address, 'loopback')).toBe(false);
  });
  test.each(PRIVATE.filter((address) => address !== '::127.0.0.1'))('%s is still forbidden', (address) => {
    expect(isForbidden(address, 'loopback')).toBe(true);
  });
});

test.each([...LOOPBACK, ...PRIVATE])('with everything allowed, %s is', (address) => {
  expect(isForbidden(address, 'all')).toBe(false);
});
