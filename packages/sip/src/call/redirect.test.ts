import { describe, expect, it } from 'vitest';
import { buildResponse } from '../message/build-response.ts';
import { buildRequest } from '../message/build-request.ts';
import { nameAddr } from '../message/name-addr.ts';
import { decideRedirect } from './redirect.ts';

const DIALED = 'sip:+12025550101@trunk.example;transport=tls';

function decide(contact: string, transport: 'udp' | 'tls') {
  const invite = buildRequest({
    method: 'INVITE',
    uri: DIALED,
    callId: 'a',
    sequence: 1,
    from: nameAddr('sip:a@b', { tag: 'x' }),
    to: nameAddr(DIALED),
    headers: [],
  });
  const response = buildResponse(invite, 302, { headers: [{ name: 'Contact', value: contact }] });
  return decideRedirect(response, { dialedUri: DIALED, transport, tried: new Set() });
}

describe('a redirect keeps the protection of the call', () => {
  it.each([
    ['<sips:+12025550101@other.example>', { host: 'other.example', port: null, transport: 'tls' }],
    [
      '<sip:+12025550101@other.example;transport=tls>',
      { host: 'other.example', port: null, transport: 'tls' },
    ],
    ['<sip:+12025550101@other.example:5071>', { host: 'other.example', port: 5071, transport: null }],
  ])('a call over TLS follows %s', (contact, target) => {
    expect(decide(contact, 'tls')).toEqual({ targets: [target] });
  });

  it.each([
    ['udp', '<sips:+12025550101@other.example>'],
    ['udp', '<sip:+12025550101@other.example;transport=tls>'],
    ['tls', '<sip:+12025550101@other.example;transport=udp>'],
    ['tls', '<sip:+12025550101@other.example;transport=TCP>'],
  ] as const)('a call over %s does not follow %s', (transport, contact) => {
    expect(decide(contact, transport)).toEqual({ refusal: 'no-usable-contact' });
  });
});
