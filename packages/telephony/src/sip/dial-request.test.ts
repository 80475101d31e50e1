import { describe, expect, it } from 'vitest';
import { toInvite, type DialRequest } from './dial-request.ts';

const WAYS = {
  publicHost: '198.51.100.1',
  trunkAddress: '192.0.2.1',
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

  it.each([
    ['+12025550101', 'e164', '+12025550101'],
    ['+12025550101', 'e164_without_plus', '12025550101'],
    ['1000', 'e164_without_plus', '1000'],
    ['+ext', 'e164_without_plus', '+ext'],
  ] as const)('writes %s as %s: %s', (number, numberFormat, user) => {
    const invite = toInvite({ ...request({ numberFormat }), from: number, to: number }, WAYS);
    expect(invite.toUri).toBe(`sip:${user}@sip.carrier.example`);
    expect(invite.from.uri).toBe(`sip:${user}@198.51.100.1`);
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
