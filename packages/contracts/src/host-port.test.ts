import { expect, test } from 'vitest';
import { readHostPort } from './host-port.ts';

test.each([
  ['pbx.example', { host: 'pbx.example', port: null }],
  ['pbx.example:5080', { host: 'pbx.example', port: 5080 }],
  ['192.0.2.1:5060', { host: '192.0.2.1', port: 5060 }],
  ['2001:db8::1', { host: '2001:db8::1', port: null }],
  ['[2001:db8::1]', { host: '2001:db8::1', port: null }],
  ['[2001:db8::1]:65535', { host: '2001:db8::1', port: 65_535 }],
])('%s is a host with or without a port', (text, expected) => {
  expect(readHostPort(text)).toEqual(expected);
});

test.each([
  '',
  ':5060',
  'pbx.example:',
  'pbx.example:0',
  'pbx.example:65536',
  'pbx.example:5060:1',
  'sip:pbx.example',
  '[pbx.example]:5060',
  '[2001:db8::1',
  '999.1.1.1:5060',
  'a b',
  'pbx.example;transport=tcp',
])('%j is none', (text) => {
  expect(readHostPort(text)).toBeNull();
});
