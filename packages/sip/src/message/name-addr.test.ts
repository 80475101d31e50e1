import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNameAddr, nameAddr, parseNameAddr, parseNameAddrList, tagOf } from './name-addr.ts';
import { completeVia, formatVia, parseVia } from './via.ts';

describe('a name-addr', () => {
  it.each([
    ['<sip:a@b>', { displayName: '', uri: 'sip:a@b' }],
    ['"Alice \\"A\\" \\\\" <sip:a@b>;tag=x', { displayName: 'Alice "A" \\', uri: 'sip:a@b' }],
    ['Alice  Smith <sip:a@b>', { displayName: 'Alice  Smith', uri: 'sip:a@b' }],
    ['"<not a uri>" <sip:a@b>', { displayName: '<not a uri>', uri: 'sip:a@b' }],
    ['WIRELESS (CALLER) <sip:a@b>', { displayName: 'WIRELESS (CALLER)', uri: 'sip:a@b' }],
    ['Zoë & Müller <sip:a@b>', { displayName: 'Zoë & Müller', uri: 'sip:a@b' }],
    ['<tel:+1>', { displayName: '', uri: 'tel:+1' }],
  ])('parses %s', (text, expected) => {
    expect(parseNameAddr(text)).toMatchObject(expected);
  });

  it('gives parameters outside brackets to the header and those inside to the URI', () => {
    expect(parseNameAddr('sip:a@b;tag=x').params.get('tag')).toBe('x');
    expect(parseNameAddr('<sip:a@b;tag=x>').params.size).toBe(0);
    expect(tagOf(parseNameAddr('<sip:a@b;tag=x>'))).toBeNull();
  });

  it.each([
    '',
    '<>',
    '<sip:a@b',
    '"A <sip:a@b>',
    'A"B" <sip:a@b>',
    '"A" B <sip:a@b>',
    'Bell, A <sip:a@b>',
    'A; B <sip:a@b>',
    'sip:a@b?x=y',
    '<sip:a@b> x',
  ])('%s is refused', (text) => {
    expect(() => parseNameAddr(text)).toThrow();
  });

  it('parses to what was written', () => {
    const name = fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/g, ''));
    fc.assert(
      fc.property(name, fc.stringMatching(/^[a-z0-9]{1,8}$/), (displayName, tag) => {
        const address = nameAddr('sip:a@b;lr', { displayName, tag });
        expect(parseNameAddr(formatNameAddr(address))).toEqual(address);
      }),
    );
  });
});

describe('a list of name-addrs', () => {
  it('is split at commas outside quotes and brackets', () => {
    const text = '"Doe, \\"J\\" <a>" <sip:+12025550101;p=1,2@b>;x="1,2" , <tel:+12025550102>,sip:c@d;index=1';
    expect(parseNameAddrList(text)).toMatchObject([
      { displayName: 'Doe, "J" <a>', uri: 'sip:+12025550101;p=1,2@b' },
      { displayName: '', uri: 'tel:+12025550102' },
      { displayName: '', uri: 'sip:c@d' },
    ]);
  });

  it.each(['', ',', '<sip:a@b>,', '<sip:a@b>,,<sip:c@d>', '"A, <sip:a@b>', '<sip:a@b>, nobody', '<sip:a@b'])(
    '%s is refused',
    (text) => {
      expect(() => parseNameAddrList(text)).toThrow();
    },
  );
});

it('a display name cannot end its quotes or its line', () => {
  const displayName = 'A" <sip:evil@e>\r\nX: 1\u0000\t';
  const text = formatNameAddr(nameAddr('sip:a@b', { displayName }));
  expect(text).toBe(String.raw`"A\" <sip:evil@e> X: 1 " <sip:a@b>`);
  expect(parseNameAddr(text)).toMatchObject({ uri: 'sip:a@b' });
});

describe('a Via', () => {
  it('parses to what was written', () => {
    const text = 'SIP/2.0/TCP [2001:db8::1]:5070;branch=z9hG4bK1;rport';
    expect(formatVia(parseVia(text))).toBe(text);
  });

  it.each(['', 'SIP/2.0', 'SIP/2.0/UDP', 'SIP/2.0/ host', 'HTTP/1.1/UDP host', 'SIP/2.0/UDP a b'])(
    '%s is refused',
    (text) => {
      expect(() => parseVia(text)).toThrow();
    },
  );

  it.each([
    ['host;branch=1', 'received=10.0.0.9', null],
    ['10.0.0.9;branch=1', null, null],
    ['10.0.0.9;branch=1;rport', 'received=10.0.0.9', '4444'],
    ['10.0.0.9;branch=1;received=6.6.6.6', null, null],
  ])('from %s is completed with the real source', (rest, received, rport) => {
    const via = completeVia(parseVia(`SIP/2.0/UDP ${rest}`), { host: '10.0.0.9', port: 4444 });
    expect(via.params.get('received') ?? null).toBe(received === null ? null : '10.0.0.9');
    expect(via.params.get('rport') ?? null).toBe(rport);
  });
});
