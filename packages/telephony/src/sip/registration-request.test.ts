import { describe, expect, it } from 'vitest';
import { bindingOptions, expiresSecondsOf, type RegistrationRequest } from './registration-request.ts';

const LINE = { host: '203.0.113.1', port: 5060 };
const REQUEST: RegistrationRequest = {
  registrar: { host: 'sip.example.com', port: 5060, transport: 'udp' },
  username: 'alice',
  password: 'secret',
};

describe('the addresses of a registration', () => {
  it.each<[string, Partial<RegistrationRequest>, Record<string, string>]>([
    [
      'usual ones',
      {},
      {
        registrarUri: 'sip:sip.example.com',
        addressOfRecord: 'sip:alice@sip.example.com',
        contactUri: 'sip:alice@203.0.113.1:5060',
      },
    ],
    [
      'another port and TCP',
      { registrar: { host: '10.0.0.9', port: 5070, transport: 'tcp' } },
      {
        registrarUri: 'sip:10.0.0.9:5070',
        addressOfRecord: 'sip:alice@10.0.0.9',
        contactUri: 'sip:alice@203.0.113.1:5060;transport=tcp',
      },
    ],
    [
      'a user and a domain of their own',
      {
        user: '+12025550100',
        domain: 'example.org',
        registrar: { ...REQUEST.registrar, port: 5070 },
      },
      {
        registrarUri: 'sip:example.org',
        addressOfRecord: 'sip:+12025550100@example.org',
        contactUri: 'sip:+12025550100@203.0.113.1:5060',
      },
    ],
    [
      'a user with characters that a URI escapes',
      { username: 'a b@c>\r\n' },
      { addressOfRecord: 'sip:a%20b%40c%3E%0D%0A@sip.example.com' },
    ],
    [
      'a proxy in front, with IPv6',
      { contactAddress: { host: '2001:db8::1', port: 5061 } },
      { contactUri: 'sip:alice@[2001:db8::1]:5061' },
    ],
  ])('are those of %s', (_, change, expected) => {
    expect(bindingOptions({ ...REQUEST, ...change }, LINE)).toMatchObject(expected);
  });

  it('need a user', () => {
    expect(() => bindingOptions({ ...REQUEST, username: '' }, LINE)).toThrow('needs a user name');
    expect(() => bindingOptions({ ...REQUEST, user: '' }, LINE)).toThrow('needs a user name');
  });
});

describe('the time that a registration asks for', () => {
  it('is 300 s, or a whole number from 1 to 86 400', () => {
    expect(expiresSecondsOf(REQUEST)).toBe(300);
    expect(expiresSecondsOf({ ...REQUEST, expiresSeconds: 86_400 })).toBe(86_400);
    expect(() => expiresSecondsOf({ ...REQUEST, expiresSeconds: 86_401 })).toThrow(
      'The time of a registration must be a whole number of seconds from 1 to 86400',
    );
  });
});
