import { describe, expect, test } from 'vitest';
import { scanWire } from './wire-scan.ts';

const scan = (...lines: string[]) => scanWire(new TextEncoder().encode(lines.join('\r\n')));

describe('wire scan', () => {
  test('a request gives its method and whom it is for', () => {
    expect(
      scan(
        'INVITE sip:+12025550110@127.0.0.1:5070 SIP/2.0',
        'Via: SIP/2.0/UDP 127.0.0.1:5060;rport;branch=z9hG4bKabc',
        'Via: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bKolder',
        'To: "A phone" <sip:+12025550110@127.0.0.1:5070>',
        'Call-ID: call-1@parley',
        'CSeq: 7 INVITE',
        '',
        'Call-ID: not a header, but a body',
      ),
    ).toEqual({
      method: 'INVITE',
      callId: 'call-1@parley',
      toUser: '+12025550110',
      sequence: 7,
      branch: 'z9hG4bKabc',
    });
  });

  test('a response gives its status and what it answers, also with compact names', () => {
    expect(
      scan(
        'SIP/2.0 486 Busy Here',
        'v: SIP/2.0/UDP a;branch=z9',
        't: <sip:bob@b>;tag=1',
        'i: x',
        'CSeq: 2 BYE',
        '',
        '',
      ),
    ).toEqual({
      status: 486,
      of: 'BYE',
      callId: 'x',
      toUser: 'bob',
      sequence: 2,
      branch: 'z9',
    });
  });

  test.each([[''], ['\r\n\r\n'], ['HTTP/1.1 200 OK'], ['INVITE sip:a@b SIP/1.0']])(
    '%j is not a message',
    (text) => {
      expect(scan(text)).toBeNull();
    },
  );

  test('a message without headers is still recognised', () => {
    expect(scan('BYE sip:a@b SIP/2.0')).toMatchObject({ method: 'BYE', callId: '', toUser: '' });
  });
});
