import { userOf } from '@parley/sip';
import { describe, expect, it } from 'vitest';
import { toInvite, type DialRequest, type TrunkTargets } from './dial-request.ts';

function targetsAt(address: string, addressPort = 5060): TrunkTargets {
  const found = { address, addressPort, source: 'host' } as const;
  return [{ host: 'sip.carrier.example', port: 5060, ...found }];
}

const WAYS = {
  publicHost: '198.51.100.1',
  targets: targetsAt('192.0.2.1'),
  local: { host: '198.51.100.1', port: 4000 },
};
const request = (trunk: Partial<DialRequest['trunk']> = {}): DialRequest => ({
  from: '+12025550100',
  to: '+12025550101',
  sipCallId: 'x@parley',
  trunk: { host: 'sip.carrier.example', port: 5060, transport: 'udp', ...trunk },
  ringTimeoutMs: 30_000,
});

describe('the INVITE of a dial request', () => {
  it('names us in From and the carrier in To, and is sent to the carrier’s address', () => {
    expect(toInvite(request(), WAYS)).toMatchObject({
      callId: 'x@parley',
      from: { uri: 'sip:+12025550100@198.51.100.1' },
      toUri: 'sip:+12025550101@sip.carrier.example',
      destination: { transport: 'udp', host: '192.0.2.1', port: 5060 },
    });
  });

  it('names the carrier in From when it authenticates us', () => {
    const invite = toInvite(request({ username: 'alice', password: 'secret', port: 5070 }), WAYS);
    expect(invite.from.uri).toBe('sip:+12025550100@sip.carrier.example:5070');
    expect(invite.credentials).toEqual({ username: 'alice', password: 'secret' });
  });

  it('writes both numbers as the trunk takes them', () => {
    const writeNumber = (number: string): string => `00${number.slice(1)}`;
    const invite = toInvite(request({ writeNumber }), WAYS);
    expect(invite.toUri).toBe('sip:0012025550101@sip.carrier.example');
    expect(invite.from.uri).toBe('sip:0012025550100@198.51.100.1');
  });

  it.each([
    ['p_asserted_identity', 'P-Asserted-Identity'],
    ['p_preferred_identity', 'P-Preferred-Identity'],
  ] as const)('sends the number of the caller also as %s', (callerHeader, name) => {
    const invite = toInvite(request({ callerHeader }), WAYS);
    expect(invite.from.uri).toBe('sip:+12025550100@198.51.100.1');
    expect(invite.headers).toEqual([{ name, value: '<sip:+12025550100@198.51.100.1>' }]);
  });

  it('names the account in From and the number as the identity, in the format of the trunk', () => {
    const trunk = request({
      username: '1234567t0',
      fromUser: '1234567t0',
      callerHeader: 'p_preferred_identity',
      writeNumber: (number) => number.slice(1),
    });
    const invite = toInvite(trunk, WAYS);
    expect(invite.from.uri).toBe('sip:1234567t0@sip.carrier.example');
    expect(invite.headers).toEqual([
      { name: 'P-Preferred-Identity', value: '<sip:12025550100@sip.carrier.example>' },
    ]);
  });

  it('has no identity by default, nor for an unknown caller', () => {
    expect(toInvite(request(), WAYS).headers).toEqual([]);
    const unknown = { ...request({ callerHeader: 'p_asserted_identity' }), from: '' };
    expect(toInvite(unknown, WAYS).headers).toEqual([]);
  });

  it.each([
    '1\r\nX-Evil: 1',
    '"1" <sip:evil@example>',
    '1>;tag=x',
    '1@evil.example',
    '1\u0000;x?y',
    '1,<sip:2@b>',
  ])('writes %j as part of a user part and nothing else', (text) => {
    const trunk = { callerHeader: 'p_asserted_identity', fromUser: text } as const;
    const { from, toUri, headers } = toInvite({ ...request(trunk), from: text, to: text }, WAYS);
    const identity = headers?.[0]?.value.slice(1, -1) ?? '';
    for (const uri of [from.uri, toUri, identity]) {
      expect(uri).toMatch(/^sip:[^\s"<>@;?,]+@[a-z\d.]+$/);
      expect(userOf(uri)).toBe(text);
    }
    expect(headers).toHaveLength(1);
  });

  it('requests TCP in the Request-URI', () => {
    expect(toInvite(request({ transport: 'tcp' }), WAYS).toUri).toBe(
      'sip:+12025550101@sip.carrier.example;transport=tcp',
    );
  });

  it('escapes characters that a URI cannot contain', () => {
    expect(toInvite({ ...request(), to: 'a b@c' }, WAYS).toUri).toBe('sip:a%20b%40c@sip.carrier.example');
  });
});
