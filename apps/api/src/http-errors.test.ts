import { DomainError } from '@parley/core';
import { expect, test } from 'vitest';
import { RefusedRequest, toHttpError } from './http-errors.ts';

test.each([
  ['not-found', 404],
  ['invalid', 422],
  ['conflict', 409],
  ['forbidden', 403],
  ['unauthenticated', 401],
  ['unavailable', 503],
  ['too-many', 429],
] as const)('%s is %i, with its own message', (kind, status) => {
  const answer = toHttpError(new DomainError(kind, 'Because.'));
  expect(answer.status).toBe(status);
  expect(answer.body.message).toBe('Because.');
});

test('messages per field have the general message of their endpoint', () => {
  const error = new DomainError('invalid', 'Inside only', { fields: { name: ['No.'] } });
  expect(toHttpError(error).body).toEqual({
    message: 'The given data was invalid.',
    errors: { name: ['No.'] },
  });
  expect(toHttpError(error, { validationMessage: 'Validation failed' }).body.message).toBe(
    'Validation failed',
  );
});

test('an unexpected error does not reveal its cause', () => {
  const error = new Error('duplicate key value (phone_number)=(+4915123456789)');
  expect(toHttpError(error)).toEqual({ status: 500, body: { message: 'Server Error' }, headers: {} });
  expect(toHttpError('a thrown text').status).toBe(500);
});

test.each([
  { code: 'ECONNREFUSED' },
  { code: 'ECONNRESET' },
  { code: '57P01' },
  { code: '57P03' },
  { code: '08006' },
  { code: '53100' },
  { code: '53300' },
  { message: 'Connection terminated unexpectedly' },
  { message: 'timeout exceeded when trying to connect' },
])('Postgres that is unavailable is 503 with Retry-After: $code $message', ({ message = '', code }) => {
  const fault = Object.assign(new Error(message), code && { code });
  const expected = { status: 503, body: { message: 'Service Unavailable' }, headers: { 'Retry-After': '2' } };
  expect(toHttpError(fault, { failureMessage: 'Assistant creation failed' })).toEqual(expected);
});

test.each(['23505', '42P01', '57014', 'ENOENT'])('the code %s is a plain 500', (code) => {
  expect(toHttpError(Object.assign(new Error('x'), { code })).status).toBe(500);
});

test('an endpoint may have its own text for an unexpected error', () => {
  const { body } = toHttpError(new Error('x'), { failureMessage: 'Assistant creation failed' });
  expect(body).toEqual({ message: 'Assistant creation failed' });
});

test('503 of a use case has Retry-After', () => {
  expect(toHttpError(new DomainError('unavailable', 'Later.')).headers).toEqual({ 'Retry-After': '2' });
});

test('429 has the seconds to wait in header and body', () => {
  const { body, headers } = toHttpError(new DomainError('too-many', 'Slowly.'));
  expect(body.retry_after).toBe(60);
  expect(headers['Retry-After']).toBe('60');
});

test('a prepared refusal is returned unchanged', () => {
  const answer = { status: 415, body: { message: 'JSON, please.' }, headers: { Allow: 'GET' } };
  expect(toHttpError(new RefusedRequest(answer))).toEqual(answer);
});
