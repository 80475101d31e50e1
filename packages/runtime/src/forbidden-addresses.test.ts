import { describe, expect, test } from 'vitest';
import { isForbiddenAddress } from './forbidden-addresses.ts';

const LOOPBACK = ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'];
const PRIVATE = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::2',
  '::127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '::ffff:0:7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%lo',
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

describe('by default', () => {
  test.each([...LOOPBACK, ...PRIVATE])('%s is forbidden', (address) => {
    expect(isForbiddenAddress(address, 'none')).toBe(true);
  });
  test.each(PUBLIC)('%s is allowed', (address) => {
    expect(isForbiddenAddress(address, 'none')).toBe(false);
  });
});

describe('with loopback allowed', () => {
  test.each(LOOPBACK)('%s is allowed', (address) => {
    expect(isForbiddenAddress(address, 'loopback')).toBe(false);
  });
  test.each(PRIVATE.filter((address) => address !== '::127.0.0.1'))('%s is still forbidden', (address) => {
    expect(isForbiddenAddress(address, 'loopback')).toBe(true);
  });
});

test.each([...LOOPBACK, ...PRIVATE])('with everything allowed, %s is allowed', (address) => {
  expect(isForbiddenAddress(address, 'all')).toBe(false);
});

test.each(['', 'foo.lan', 'localhost', '0x7f.1', '127.1', '2130706433', '127.0.0.1:80', '[::1]'])(
  'a value that is not an IP address is forbidden: %s',
  (text) => {
    expect(isForbiddenAddress(text, 'all')).toBe(true);
  },
);
