import { expect, test } from 'vitest';
import { readStreamAddress } from './stream-address.rules.ts';

test.each([
  ['/carriers/7/calls/12/stream', { accountId: 7, callId: 12 }],
  ['/carriers/7/calls/12/stream/', null],
  ['/carriers/7/calls/stream', null],
  ['/carriers/x/calls/12/stream', null],
  ['/carriers/-7/calls/12/stream', null],
  ['/carriers/7/calls/1234567890123456/stream', null],
  ['/talk', null],
])('%s names %j', (path, expected) => {
  expect(readStreamAddress(path)).toEqual(expected);
});
