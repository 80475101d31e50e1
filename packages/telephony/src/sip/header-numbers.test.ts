import { describe, expect, it } from 'vitest';
import { numberIn, readHeaderNumbers } from './header-numbers.ts';

const URIS = { fromUri: 'sip:+12025550100@a.example', toUri: 'sip:+12025550101@b.example' };

/** @param lines - header lines as they arrive */
function read(lines: readonly string[], uris: Partial<typeof URIS> = {}) {
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() };
  });
  return readHeaderNumbers(headers, { ...URIS, ...uris });
}

it('an INVITE without these fields has only the number in To', () => {
  expect(read([])).toEqual({
    toHeader: '+12025550101',
    calledPartyId: '',
    assertedIdentity: '',
    remotePartyId: '',
    isPrivate: false,
    divertedBy: [],
    firstDiverting: '',
  });
});

describe('P-Asserted-Identity', () => {
  it.each([
    ['a URI without brackets', ['P-Asserted-Identity: sip:+12025550102@c;user=phone'], '+12025550102'],
    ['a tel URI', ['p-asserted-identity: <tel:+12025550102;ext=7>'], '+12025550102'],
    [
      'a comma in the name',
      ['P-Asserted-Identity: "Doe, J <sip:+1@x>" <sip:+12025550102@c>'],
      '+12025550102',
    ],
    ['a name and then a number', ['P-Asserted-Identity: <sip:joe@c>, <tel:+12025550102>'], '+12025550102'],
    [
      'two lines',
      ['P-Asserted-Identity: <sip:joe@c>', 'P-Asserted-Identity: <tel:+12025550102>'],
      '+12025550102',
    ],
    ['a name only', ['P-Asserted-Identity: <sip:joe@c>'], 'joe'],
    ['an anonymous value', ['P-Asserted-Identity: <sip:anonymous@anonymous.invalid>'], ''],
    ['an unclosed quote', ['P-Asserted-Identity: "Doe <sip:+12025550102@c>'], ''],
    ['an empty entry', ['P-Asserted-Identity: <sip:+12025550102@c>,,'], ''],
    ['one malformed line of two', ['P-Asserted-Identity: <sip:1@c>', 'P-Asserted-Identity: <'], ''],
  ])('is read with %s', (_, lines, expected) => {
    expect(read(lines).assertedIdentity).toBe(expected);
  });
});

it('Remote-Party-ID is that of the calling party', () => {
  const lines = [
    'Remote-Party-ID: "B, C" <sip:+12025550101@b>;party=called;screen=yes, "A" <sip:+12025550102@a>;party=calling',
  ];
  expect(read(lines).remotePartyId).toBe('+12025550102');
  expect(read(['Remote-Party-ID: <sip:+12025550102@a>;screen=no']).remotePartyId).toBe('+12025550102');
  expect(read(['Remote-Party-ID: <sip:+12025550102@a>;party=called']).remotePartyId).toBe('');
});

describe('privacy', () => {
  it.each([
    [['Privacy: id'], {}, true],
    [['Privacy: critical; ID'], {}, true],
    [['Privacy: session,user'], {}, true],
    [['Privacy: none'], {}, false],
    [['Privacy: session;critical'], {}, false],
    [[], { fromUri: 'sip:anonymous@anonymous.invalid' }, true],
    [[], { fromUri: 'sip:+12025550100@ANONYMOUS.invalid:5060' }, true],
    [[], { fromUri: 'sips:Anonymous@carrier.example' }, true],
    [[], { fromUri: 'sip:anonymous.fan@carrier.example' }, false],
  ])('of %j %j: %s', (lines, uris, expected) => {
    expect(read(lines, uris).isPrivate).toBe(expected);
  });
});

describe('Diversion', () => {
  it('names the latest first, and the first at the end', () => {
    const lines = [
      'Diversion: "Desk, 2" <sip:+12025550103@c>;reason=no-answer;counter=1, <sip:+12025550102@c>;reason=user-busy',
      'Diversion: <tel:+12025550101>;reason=unconditional;privacy=off',
    ];
    expect(read(lines)).toMatchObject({
      divertedBy: ['+12025550103', '+12025550102', '+12025550101'],
      firstDiverting: '+12025550101',
    });
  });

  it.each(['full', '"FULL"', 'uri'])('with privacy=%s is not shown', (privacy) => {
    expect(read([`Diversion: <sip:+12025550102@c>;privacy=${privacy}`])).toMatchObject({
      divertedBy: ['+12025550102'],
      firstDiverting: '',
    });
  });

  it('of more parties than a call can have is cut', () => {
    const lines = Array.from({ length: 60 }, (_, index) => `Diversion: <sip:+120255501${10 + index}@c>`);
    expect(read(lines).divertedBy).toHaveLength(8);
  });
});

describe('History-Info', () => {
  it.each([
    [
      'the original target of a call that was diverted',
      [
        'History-Info: <sip:+12025550101@c?Reason=SIP%3Bcause%3D302>;index=1, "A, B" <sip:+12025550102@c;cause=302>;index=1.1;mp=1',
      ],
      '+12025550101',
    ],
    [
      'two lines',
      ['History-Info: <sip:+4930901@c>;index=1', 'History-Info: <tel:+4930902>;index=1.1'],
      '+4930901',
    ],
    ['nothing for one entry', ['History-Info: <sip:+12025550101@c>;index=1'], ''],
    [
      'nothing for one number in two forms',
      ['History-Info: <sip:+4930901820@c>;index=1, <sip:030901820@d>;index=1.1'],
      '',
    ],
    [
      'nothing for steps within a network',
      ['History-Info: <sip:+4930901@c>;index=1, <sip:ua7@d>;index=1.1'],
      '',
    ],
    [
      'nothing where that party asked for privacy',
      ['History-Info: <sip:+4930901@c?Privacy=history>;index=1, <sip:+4930902@c>;index=1.1'],
      '',
    ],
    [
      'nothing where Diversion says more',
      [
        'History-Info: <sip:+4930901@c>;index=1, <sip:+4930902@c>;index=1.1',
        'Diversion: <sip:+4930903@c>;privacy=full',
      ],
      '',
    ],
  ])('gives %s', (_, lines, expected) => {
    expect(read(lines).firstDiverting).toBe(expected);
  });
});

describe('a number', () => {
  it.each([
    'sip:1%0d%0aX-Evil:%201@a',
    'sip:%00@a',
    'sip:%22x%22@a',
    'sip:%3Csip:x%3E@a',
    'sip:1%5C@a',
    'sip:%C2%85@a',
    'sip:a',
    '',
  ])('is not read from %s', (uri) => {
    expect(numberIn(uri)).toBe('');
  });

  const PARTS = ['<sip:', '+1202', '%0a', '%22', '"', ',', ';', '>', '@a', '\\', '=', '?', ' '];

  it.each([
    'P-Asserted-Identity',
    'Diversion',
    'History-Info',
    'Remote-Party-ID',
    'P-Called-Party-ID',
    'Privacy',
  ])('in %s has no dangerous characters, however its parts are put together', (field) => {
    const pairs = PARTS.flatMap((one) => PARTS.map((other) => one + other));
    for (const value of pairs.flatMap((pair) => pairs.map((other) => `<sip:1${pair}@a>${other}`))) {
      const { isPrivate: _, divertedBy, ...numbers } = read([`${field}: ${value}`]);
      expect([...Object.values(numbers), ...divertedBy].join(' ')).not.toMatch(/[\p{Cc}"<>\\]/u);
    }
  });
});
