import { expect, it } from 'vitest';
import { SpeechError } from '../ports.ts';
import { statusError, toSpeechError } from './provider-error.ts';

it.each([
  ['{"error":{"message":"no such model"}}', 'no such model'],
  ['{"error":"busy"}', 'busy'],
  ['{"detail":{"status":"invalid_api_key","message":"Invalid key"}}', 'Invalid key'],
  ['{"detail":"Unauthorised"}', 'Unauthorised'],
  ['{"message":"No credit"}', 'No credit'],
  ['{"err_code":"INVALID_AUTH","err_msg":"Invalid credentials."}', 'Invalid credentials.'],
  ['plain text', 'plain text'],
])('finds what a server says in %s', (body, message) => {
  expect(statusError(400, body).message).toBe(`The provider answered 400: ${message}`);
});

it.each([
  [400, 'rejected'],
  [401, 'rejected'],
  [408, 'unavailable'],
  [429, 'unavailable'],
  [500, 'unavailable'],
] as const)('takes the status %i as %s', (status, kind) => {
  expect(statusError(status, '').kind).toBe(kind);
});

it('keeps pages short and keys out', () => {
  expect(statusError(500, 'x'.repeat(10_000)).message.length).toBeLessThan(400);
  expect(statusError(401, 'key sk-1 sk-1 is wrong', { apiKey: 'sk-1' }).message).toContain(
    'key [key] [key] is wrong',
  );
  const cause = new Error('connect to sk-1 failed');
  expect(toSpeechError(cause, 'sk-1')).toMatchObject({
    kind: 'unavailable',
    message: 'The provider failed: connect to [key] failed',
    cause,
  });
});

it('leaves our own errors as they are', () => {
  const own = new SpeechError('timed-out', 'late');
  expect(toSpeechError(own)).toBe(own);
});
