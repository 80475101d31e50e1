import { describe, expect, it } from 'vitest';
import { textBody, type HeaderField, type SipMessage } from './message.ts';
import { isBodyOptional, sessionDescription } from './session-description.ts';

const SDP = 'v=0\r\ns=-\r\n';

function message(body: string, ...headers: HeaderField[]): SipMessage {
  return { kind: 'request', method: 'INVITE', uri: 'sip:a', headers, body: textBody(body) };
}

const typed = (type: string, body: string): SipMessage =>
  message(body, { name: 'Content-Type', value: type });

const lines = (...text: string[]): string => text.join('\r\n');

describe('the session description of a message', () => {
  it.each([
    ['a plain body', typed('application/sdp', SDP)],
    ['a body without a type', message(SDP)],
    ['a type in capitals with parameters', typed('Application/SDP ;charset=utf-8', SDP)],
    [
      'one part of several',
      typed(
        'multipart/mixed;boundary="one two"',
        lines(
          'preamble',
          '--one two',
          'Content-Type: application/isup;version=itu-t92+',
          'Content-Disposition: signal;handling=optional',
          '',
          'binary',
          '--one two',
          'content-type: application/sdp',
          '',
          SDP,
          '--one two--',
          '--one two',
          'Content-Type: application/sdp',
          '',
          'epilogue',
        ),
      ),
    ],
    [
      'a multipart body without a final delimiter',
      typed('multipart/alternative; boundary=b', lines('--b ', 'c: application/sdp', '', SDP)),
    ],
  ])('is found in %s', (_where, found) => {
    expect(sessionDescription(found)).toBe(SDP);
  });

  it.each([
    ['an empty body', message('')],
    ['another type', typed('application/pidf+xml', SDP)],
    ['a multipart body without a boundary', typed('multipart/mixed', lines('--', '', SDP))],
    ['a malformed boundary', typed('multipart/mixed;boundary="b', lines('--b', '', SDP))],
    [
      'parts of other types',
      typed('multipart/mixed;boundary=b', lines('--b', 'Content-Type: text/plain', '', SDP)),
    ],
    ['a part without a type', typed('multipart/mixed;boundary=b', lines('--b', '', SDP))],
    [
      'a part without a body',
      typed('multipart/mixed;boundary=b', lines('--b', 'Content-Type: application/sdp')),
    ],
  ])('is not found in %s', (_where, searched) => {
    expect(sessionDescription(searched)).toBeNull();
  });

  it('is searched in linear time', () => {
    const body = '\r\n--b'.repeat(4000);
    expect(sessionDescription(typed('multipart/mixed;boundary=b', body))).toBeNull();
  });
});

describe('a body', () => {
  it.each([
    ['render;handling=optional', true],
    ['session; handling=Required', false],
    ['session', false],
  ])('with the disposition %s is optional: %s', (value, isOptional) => {
    expect(isBodyOptional(message(SDP, { name: 'Content-Disposition', value }))).toBe(isOptional);
  });
});
