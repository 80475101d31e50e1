import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { texts } from './texts.ts';
import { firstMessages, isWorthRetrying, readRequestError } from './request-error.ts';

/** The error of the client for a response with this status. */
function answer(httpStatus: number, message: string, errors: unknown = {}): Error {
  return TRPCClientError.from({ error: { message, code: -32_000, data: { httpStatus, errors } } });
}

describe('a failed request', () => {
  it.each([
    [404, 'not-found'],
    [409, 'invalid'],
    [422, 'invalid'],
    [429, 'too-many'],
  ])('with status %i is of the kind %s and keeps its message', (status, kind) => {
    expect(readRequestError(answer(status, 'Field missing.'))).toMatchObject({
      kind,
      message: 'Field missing.',
    });
  });

  it('of a user who is signed out says how to go on', () => {
    const error = readRequestError(answer(401, 'Unauthenticated.'));
    expect(error).toMatchObject({ kind: 'unauthenticated', message: texts.failure.signedOut });
  });

  it('has messages per field', () => {
    const error = readRequestError(answer(422, 'Invalid.', { phone_number: ['Too short.', 'No country.'] }));
    expect(error.fields).toEqual({ phone_number: ['Too short.', 'No country.'] });
    expect(firstMessages(error.fields)).toEqual({ phone_number: 'Too short.' });
  });

  it('inside the server is explained, not quoted', () => {
    expect(readRequestError(answer(500, 'Server Error')).message).toContain('failed to process the request');
  });

  it('without a response states that the server is not responding', () => {
    const lost = TRPCClientError.from(new TypeError('Failed to fetch'));
    expect(readRequestError(lost)).toMatchObject({ kind: 'unreachable', fields: {} });
  });

  it('is retried twice if the answer may change, and never if it cannot', () => {
    expect([0, 1, 2].map((failures) => isWorthRetrying(failures, answer(500, '')))).toEqual([
      true,
      true,
      false,
    ]);
    expect(isWorthRetrying(0, answer(404, ''))).toBe(false);
    expect(isWorthRetrying(0, answer(401, ''))).toBe(false);
  });
});
