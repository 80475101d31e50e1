import { describe, expect, it } from 'vitest';
import {
  calledUsers,
  callerUser,
  possibleCalledUsers,
  type InboundNumbers,
} from './inbound-numbers.rules.ts';

const NUMBERS: InboundNumbers = {
  to: 'request',
  toHeader: 'to',
  calledPartyId: 'party',
  divertedBy: ['latest', 'first'],
  from: 'from',
  assertedIdentity: 'asserted',
  remotePartyId: 'remote',
};

describe('the called number', () => {
  it.each([
    ['request_uri', ['request', 'to', 'party']],
    ['to', ['to', 'request', 'party']],
    ['p_called_party_id', ['party', 'request', 'to']],
    ['diversion', ['latest', 'first', 'request', 'to', 'party']],
  ] as const)('with the source %s is looked for in this order: %j', (source, users) => {
    expect(calledUsers(source, NUMBERS)).toEqual(users);
  });

  it.each(['to', 'p_called_party_id', 'diversion'] as const)('without %s is in the Request-URI', (source) => {
    expect(calledUsers(source, { to: 'request', from: '' })).toEqual(['request']);
  });

  it('of any trunk is in one of all places', () => {
    expect(possibleCalledUsers(NUMBERS)).toEqual(['request', 'to', 'party', 'latest', 'first']);
  });
});

describe('the caller', () => {
  it.each([
    ['from', {}, 'from'],
    ['p_asserted_identity', {}, 'asserted'],
    ['remote_party_id', {}, 'remote'],
    ['p_asserted_identity', { assertedIdentity: '' }, 'from'],
    ['remote_party_id', { remotePartyId: '' }, 'from'],
    ['from', { isPrivate: true }, ''],
    ['p_asserted_identity', { isPrivate: true }, 'asserted'],
    ['remote_party_id', { isPrivate: true }, 'remote'],
    ['p_asserted_identity', { isPrivate: true, assertedIdentity: '' }, ''],
    ['remote_party_id', { isPrivate: true, remotePartyId: '' }, ''],
  ] as const)('with the source %s and %j is %j', (source, changes, user) => {
    expect(callerUser(source, { ...NUMBERS, ...changes })).toBe(user);
  });
});
