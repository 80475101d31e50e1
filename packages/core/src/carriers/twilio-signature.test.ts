import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSignedByTwilio, signAsTwilio } from './twilio-signature.ts';

const TOKEN = 'auth token';
const hmac = (text: string): string => createHmac('sha1', TOKEN).update(text).digest('base64');

test('parameters are sorted by name in code units, and joined to the URL', () => {
  const url = 'https://parley.example/carriers/1/calls';
  const parameters = [
    ['to', '+1'],
    ['To', '+12025550101'],
    ['From', 'ä'],
    ['Empty', ''],
  ] as const;
  expect(signAsTwilio(TOKEN, url, parameters)).toBe(hmac(`${url}EmptyFromäTo+12025550101to+1`));
});

test('a parameter with several values has them sorted, each once', () => {
  const parameters = [
    ['a', '2'],
    ['a', '1'],
    ['a', '2'],
  ] as const;
  expect(signAsTwilio(TOKEN, 'https://x/', parameters)).toBe(hmac('https://x/a1a2'));
});

test.each([
  ['https://parley.example/x', 'https://parley.example/x', true],
  ['https://parley.example/x', 'https://parley.example:443/x', true],
  ['https://parley.example:8443/x', 'https://parley.example:8443/x', true],
  ['https://parley.example:8443/x', 'https://parley.example/x', true],
  ['wss://parley.example/x', 'wss://parley.example:443/x', true],
  ['wss://parley.example/x', 'https://parley.example/x', false],
  ['https://parley.example/x', 'https://parley.example/y', false],
  ['https://parley.example/x', 'https://parley.example:8443/x', false],
])('%s that is signed as %s is signed: %s', (url, signed, expected) => {
  expect(isSignedByTwilio(TOKEN, hmac(signed), { url })).toBe(expected);
  expect(isSignedByTwilio('another token', hmac(signed), { url })).toBe(false);
});
