import { expect, test } from 'vitest';
import { isAllowedHost } from './allowed-host.ts';

test.each([
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '127.1',
  '127.0.0.1',
  '::ffff:0:127.0.0.1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '198.18.0.1',
  '192.0.0.8',
  'foo.lan',
  'FOO.LAN.',
  'printer.home.arpa',
  'pbx.corp',
  'localhost.localdomain',
  'user@127.0.0.1',
  'sip.carrier.example@127.0.0.1',
  '',
])('%s is not public', (host) => {
  expect(isAllowedHost(host, 'none')).toBe(false);
});

test.each(['8.8.8.8', '2606:4700::1111', 'sip.carrier.example', 'lan.carrier.example'])(
  '%s may be public',
  (host) => {
    expect(isAllowedHost(host, 'none')).toBe(true);
  },
);

test.each([
  ['127.0.0.1', 'none', false],
  ['127.0.0.1', 'loopback', true],
  ['::1', 'loopback', true],
  ['localhost', 'none', false],
  ['localhost', 'loopback', true],
  ['10.0.0.1', 'loopback', false],
  ['pbx.corp', 'loopback', false],
  ['pbx', 'loopback', false],
  ['10.0.0.1', 'all', true],
  ['pbx.corp', 'all', true],
  ['localhost', 'all', true],
] as const)('%s with the setting TRUNK_ALLOW_PRIVATE=%s: %s', (host, allowed, expected) => {
  expect(isAllowedHost(host, allowed)).toBe(expected);
});
