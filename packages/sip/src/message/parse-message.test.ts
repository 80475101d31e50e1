import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvelope } from './envelope.ts';
import { MAX_HEADER_FIELDS, MAX_MESSAGE_BYTES } from './limits.ts';
import { bodyText, headerList, headerValue, type SipMessage } from './message.ts';
import { SipParseError } from './parse-error.ts';
import { MalformedRequestError, parseMessage } from './parse-message.ts';
import { serialiseMessage } from './serialise-message.ts';

const LINES = [
  'OPTIONS sip:b@there SIP/2.0',
  'Via: SIP/2.0/UDP here;branch=z9hG4bK1',
  'From: <sip:a@here>;tag=1',
  'To: <sip:b@there>',
  'Call-ID: c@here',
  'CSeq: 7 OPTIONS',
  'Max-Forwards: 70',
];

/** A valid message with some lines replaced (by their name) or added. */
function message(changes: Record<string, string | null> = {}, more: string[] = [], body = ''): string {
  const lines = LINES.flatMap((line) => {
    const name = line.split(/[: ]/, 1)[0] ?? '';
    const change = changes[name];
    return change === undefined ? [line] : change === null ? [] : [change];
  });
  return [...lines, ...more, '', body].join('\r\n');
}

/** Reads a message as an agent does; the status of the refusal if it is refused. */
function read(text: string): SipMessage | number {
  try {
    const parsed = parseMessage(text);
    readEnvelope(parsed);
    return parsed;
  } catch (error) {
    if (error instanceof SipParseError) return error.status;
    throw error;
  }
}

// In the manner of RFC 4475, section 3.1.1; the messages are our own.
describe('valid messages in unusual forms', () => {
  it.each([
    [
      'blanks wherever the grammar has them',
      { Via: 'v :  SIP  / 2.0 /\t UDP   here : 5060 ;  branch = z9hG4bK1' },
    ],
    ['folded header fields', { To: 'To:\r\n  "B\r\n\t \\"the second\\"" <sip:b@there>' }],
    [
      'compact names in any case',
      { Via: 'V: SIP/2.0/TCP here;branch=z9hG4bK1', From: 'F: sip:a@here;tag=1', 'Call-ID': 'I: c' },
    ],
    [
      'lower-case protocol names',
      { OPTIONS: 'OPTIONS sip:b@there sip/2.0', Via: 'Via: sip/2.0/udp here;branch=z9hG4bK1' },
    ],
    [
      'escaped quotes and commas in a display name',
      { From: String.raw`From: "A, \"x\", \\" <sip:a@here>;tag=1` },
    ],
    ['tokens as a display name', { From: 'From: a.b !%* c <sip:a@here>;tag=1' }],
    ['no space before the bracket', { From: 'From: caller<sip:a@here>;tag=1' }],
    ['escapes in the user part', { OPTIONS: 'OPTIONS sip:%62%2Fb%00@there SIP/2.0' }],
    ['a user part with semicolons', { OPTIONS: 'OPTIONS sip:b;par=u%40x@there SIP/2.0' }],
    ['an unknown transport in Via', { Via: 'Via: SIP/2.0/CARRIER-PIGEON here;branch=z9hG4bK1' }],
    [
      'IPv6 everywhere',
      {
        OPTIONS: 'OPTIONS sip:b@[2001:db8::9]:5070 SIP/2.0',
        Via: 'Via: SIP/2.0/UDP [2001:db8::1]:5060;received=[2001:db8::2];branch=z9hG4bK1',
      },
    ],
    ['a tel URI', { To: 'To: <tel:+1-202-555-0100;phone-context=x>' }],
    ['no Max-Forwards', { 'Max-Forwards': null }],
    ['Max-Forwards with leading zeros', { 'Max-Forwards': 'Max-Forwards: 0068' }],
    ['Max-Forwards of zero', { 'Max-Forwards': 'Max-Forwards: 0' }],
    ['the largest CSeq', { CSeq: 'CSeq: 2147483647   OPTIONS' }],
  ])('%s', (_, changes) => {
    expect(read(message(changes as Record<string, string>))).toMatchObject({ kind: 'request' });
  });

  it.each([
    ['an unknown header with anything in it', 'X-Odd: ;;,,;"\u0001<>'],
    ['an empty header', 'Supported:'],
    ['a malformed date that is not used', 'Date: yesterday'],
    ['an overlong number that is not used', `Expires: ${'9'.repeat(100)}`],
    ['a value of many thousand characters', `X-Long: ${'x'.repeat(30_000)}`],
    ['UTF-8', 'Subject: Grüße, 电话'],
  ])('%s', (_, line) => {
    expect(read(message({}, [line]))).toMatchObject({ kind: 'request' });
  });

  it('an unusual method', () => {
    const method = "!interesting-Method0123456789_*+`.%indeed'~";
    const odd = message({ OPTIONS: `${method} sip:b@there SIP/2.0`, CSeq: `CSeq: 1 ${method}` });
    expect(read(odd)).toMatchObject({ method });
  });

  it('NUL in a quoted name, escaped', () => {
    expect(read(message({ To: 'To: "\\\0" <sip:b@there>' }))).toMatchObject({ kind: 'request' });
    expect(read(message({ OPTIONS: 'SIP/2.0 486 Busy\0' }))).toBe(400);
  });

  it('responses with any reason phrase or none', () => {
    const response = (line: string) => read(message({ OPTIONS: line }));
    expect(response('SIP/2.0 200 = 2**3 * 5**2 но сто')).toMatchObject({
      status: 200,
      reason: '= 2**3 * 5**2 но сто',
    });
    expect(response('SIP/2.0 100 ')).toMatchObject({ status: 100, reason: '' });
    expect(response('SIP/2.0 699')).toMatchObject({ status: 699, reason: '' });
    // JavaScript's line ends are more than SIP's.
    expect(response('SIP/2.0 100 a\u2028b')).toMatchObject({ reason: 'a\u2028b' });
  });

  it('empty lines before the start, and bytes after the body', () => {
    const parsed = read(`\r\n\r\n${message({}, ['Content-Length: 2'], 'ok and more')}`);
    expect(typeof parsed === 'object' && bodyText(parsed)).toBe('ok');
  });

  it('lists on one line and on several', () => {
    const routes = ['Record-Route: <sip:1;a="x,y">, "q,r" <sip:2,3@4>', 'Record-Route: <sip:5>'];
    const parsed = parseMessage(message({}, routes));
    expect(headerList(parsed, 'record-route')).toEqual(['<sip:1;a="x,y">', '"q,r" <sip:2,3@4>', '<sip:5>']);
  });
});

// In the manner of RFC 4475, section 3.1.2 and 3.3.
describe('invalid messages', () => {
  it.each<[string, Record<string, string | null>, number]>([
    ['empty parameters', { From: 'From: <sip:a@here>;tag=1;;;x' }, 400],
    ['a quoted string that does not end', { To: 'To: "Mr. B <sip:b@there>' }, 400],
    ['a bracket that does not close', { To: 'To: <sip:b@there' }, 400],
    ['brackets around the Request-URI', { OPTIONS: 'OPTIONS <sip:b@there> SIP/2.0' }, 0],
    ['a blank in the Request-URI', { OPTIONS: 'OPTIONS sip:b@there; lr SIP/2.0' }, 400],
    ['two blanks in the request line', { OPTIONS: 'OPTIONS  sip:b@there SIP/2.0' }, 400],
    ['a blank after the request line', { OPTIONS: 'OPTIONS sip:b@there SIP/2.0 ' }, 400],
    ['no version', { OPTIONS: 'OPTIONS sip:b@there' }, 400],
    ['another version', { OPTIONS: 'OPTIONS sip:b@there SIP/7.0' }, 505],
    ['a Via of another version', { Via: 'Via: SIP/7.0/UDP here;branch=z9hG4bK1' }, 505],
    ['a comma in a bare display name', { From: 'From: Bell, Alexander <sip:a@here>;tag=1' }, 400],
    ['a tag that stands twice', { From: 'From: <sip:a@here>;tag=1;tag=2' }, 400],
    ['a CSeq of another method', { CSeq: 'CSeq: 7 INVITE' }, 400],
    ['a CSeq that is too large', { CSeq: 'CSeq: 2147483648 OPTIONS' }, 400],
    ['a CSeq of 36 digits', { CSeq: `CSeq: ${'3'.repeat(36)} OPTIONS` }, 400],
    ['a negative CSeq', { CSeq: 'CSeq: -1 OPTIONS' }, 400],
    ['a Max-Forwards that is too large', { 'Max-Forwards': 'Max-Forwards: 300' }, 400],
    ['no Via', { Via: null }, 400],
    ['no From', { From: null }, 400],
    ['an empty To', { To: 'To:' }, 400],
    ['no Call-ID', { 'Call-ID': null }, 400],
    ['no CSeq', { CSeq: null }, 400],
    ['a Call-ID of two words', { 'Call-ID': 'Call-ID: a b' }, 400],
    ['an empty Via entry', { Via: 'Via: SIP/2.0/UDP here;branch=z9hG4bK1,,' }, 400],
    ['a Via without a host', { Via: 'Via: SIP/2.0/UDP ;branch=z9hG4bK1' }, 400],
    ['a port that is too large', { Via: 'Via: SIP/2.0/UDP here:65536;branch=z9hG4bK1' }, 400],
    ['a header line without a colon', { 'Max-Forwards': 'Max-Forwards' }, 400],
    ['a header name with a blank in it', { 'Max-Forwards': 'Max Forwards: 70' }, 400],
    ['a broken escape in a URI', { To: 'To: <sip:%4@there>' }, 400],
    ['a URI without a scheme', { To: 'To: <b@there>' }, 400],
    ['a URI without a host', { To: 'To: <sip:b@>' }, 400],
    ['NUL in the Request-URI', { OPTIONS: 'OPTIONS sip:b\0@there SIP/2.0' }, 400],
    ['NUL in a tag', { From: 'From: <sip:a@here>;tag=1\0' }, 400],
    ['NUL in a name, not escaped', { From: 'From: "a\0" <sip:a@here>;tag=1' }, 400],
    ['NUL in Call-ID', { 'Call-ID': 'Call-ID: c\0@here' }, 400],
    ['a broken IPv6 address', { To: 'To: <sip:b@[2001:db8::9>' }, 400],
  ])('%s', (_, changes, status) => {
    // The Request-URI itself is looked at later, when it is known that the method is.
    if (status === 0) expect(read(message(changes))).toMatchObject({ kind: 'request' });
    else expect(read(message(changes))).toBe(status);
  });

  it.each([
    ['Content-Length that is negative', ['Content-Length: -1']],
    ['Content-Length with a decimal point', ['Content-Length: 0.0']],
    ['Content-Length beyond the datagram', ['Content-Length: 9999']],
    ['two different Content-Lengths', ['Content-Length: 0', 'l: 1']],
    ['NUL in Contact', ['Contact: <sip:a\0@here>']],
    ['NUL in a route', ['Record-Route: "\\\0" <sip:p@here;lr>']],
    ['two To headers', ['To: <sip:c@there>']],
    ['two Call-IDs, one compact', ['i: other']],
  ])('%s', (_, lines) => {
    expect(read(message({}, lines))).toBe(400);
  });

  it.each([
    'SIP/2.0 4294967301 big',
    'SIP/2.0 99 small',
    'SIP/2.0 700 large',
    'SIP/2.0 OK',
    'SIP/2.1 200 OK',
  ])('the status line %s', (line) => {
    expect(read(message({ OPTIONS: line }))).toBe(400);
  });

  it('those beyond the limits', () => {
    const many = Array.from({ length: MAX_HEADER_FIELDS }, (_, index) => `X-${index}: 1`);
    expect(read(message({}, many))).toBe(413);
    expect(read(message({}, [], 'x'.repeat(MAX_MESSAGE_BYTES)))).toBe(413);
    expect(
      read(message({ Via: `Via: ${Array.from({ length: 71 }, () => 'SIP/2.0/UDP h').join(',')}` })),
    ).toBe(400);
  });

  it('those whose header section does not end', () => {
    expect(read(LINES.join('\r\n'))).toBe(400);
    expect(read('')).toBe(400);
  });

  it('report the readable fields, so that they can be answered', () => {
    const error = (() => {
      try {
        return parseMessage(message({}, ['To: <sip:c@there>']));
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toBeInstanceOf(SipParseError);
    const partial = error instanceof MalformedRequestError ? error.request : null;
    expect(partial && headerValue(partial, 'Call-ID')).toBe('c@here');
  });
});

const token = fc.stringMatching(/^[A-Za-z0-9\-.!%*_+`'~]{1,20}$/);
/** Text as it stands in a field: no line ends, no blanks at the ends. */
const fieldValue = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .map((text) => text.replaceAll(/[\r\n\uFEFF]/g, ' ').trim())
  .filter((text) => Buffer.from(text, 'utf8').toString('utf8') === text);
const headers = fc.array(fc.record({ name: token.map((name) => `X-${name}`), value: fieldValue }), {
  maxLength: 20,
});
const body = fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes));
const request = fc.record({
  kind: fc.constant('request' as const),
  method: token.filter((method) => !/^SIP/i.test(method)),
  uri: fc.stringMatching(/^[!-~]{1,40}$/),
  headers,
  body,
});
const response = fc.record({
  kind: fc.constant('response' as const),
  status: fc.integer({ min: 100, max: 699 }),
  reason: fieldValue,
  headers,
  body,
});

describe('serialising', () => {
  it('is the inverse of parsing', () => {
    fc.assert(
      fc.property(fc.oneof(request, response), (written) => {
        const parsed = parseMessage(serialiseMessage(written));
        expect({ ...parsed, body: [...parsed.body] }).toEqual({ ...written, body: [...written.body] });
      }),
      { numRuns: 500 },
    );
  });

  it('never lets a value add a header field', () => {
    const parsed = parseMessage(message());
    parsed.headers.push({ name: 'X-Name', value: 'a\r\nX-Injected: b' });
    const again = parseMessage(serialiseMessage(parsed));
    expect(headerValue(again, 'X-Injected')).toBeNull();
    expect(headerValue(again, 'X-Name')).toBe('a X-Injected: b');
  });
});
