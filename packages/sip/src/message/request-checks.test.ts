import { describe, expect, it } from 'vitest';
import { textBody, type HeaderField, type SipRequest } from './message.ts';
import { ACCEPT, checkRequest } from './request-checks.ts';

const ALLOWED = ['INVITE', 'CANCEL', 'OPTIONS', 'UPDATE', 'INFO'];

function requestOf(change: {
  method?: string;
  uri?: string;
  headers?: HeaderField[];
  body?: string;
}): SipRequest {
  const { method = 'INVITE', uri = 'sip:1@10.0.0.1', headers = [], body = '' } = change;
  return { kind: 'request', method, uri, headers, body: textBody(body) };
}

const require100rel = { name: 'Require', value: '100rel, Timer' };
const requireOther = { name: 'Require', value: '100rel, precondition' };
const type = (value: string): HeaderField => ({ name: 'Content-Type', value });

/** An INVITE with a session description and a part that we do not understand. */
function parts(multipart: string, disposition: string | null) {
  const other = ['--b', 'Content-Type: application/isup', `Content-Disposition: ${disposition}`, '', 'x'];
  const lines = disposition === null ? other.toSpliced(2, 1) : other;
  const body = [...lines, '--b', 'Content-Type: application/sdp', '', 'v=0', '--b--', ''].join('\r\n');
  return { headers: [type(`${multipart};boundary=b`)], body };
}

describe('checkRequest', () => {
  it.each([
    ['an INVITE without a body', {}],
    ['a tel URI', { uri: 'tel:+12025550101' }],
    ['an SDP body', { headers: [type('application/sdp; charset=utf-8')], body: 'v=0' }],
    ['an SDP body without Content-Type', { body: 'v=0' }],
    [
      'Content-Encoding identity',
      { headers: [{ name: 'Content-Encoding', value: 'Identity' }], body: 'v=0' },
    ],
    ['our extensions', { headers: [require100rel] }],
    ['Require in CANCEL', { method: 'CANCEL', headers: [requireOther] }],
    [
      'another body that is optional',
      {
        headers: [
          type('application/isup'),
          { name: 'Content-Disposition', value: 'signal;handling=optional' },
        ],
        body: 'x',
      },
    ],
    ['another part without a disposition', parts('multipart/mixed', null)],
    ['another part that is optional', parts('multipart/mixed', 'signal;handling=optional')],
    ['another alternative', parts('multipart/alternative', 'signal;handling=required')],
    ['another body in INFO', { method: 'INFO', headers: [type('application/dtmf')], body: '5' }],
  ])('accepts %s', (_what, change) => {
    expect(checkRequest(requestOf(change), ALLOWED, 'udp')).toBeNull();
  });

  it.each([
    ['an unsupported method', { method: 'REFER' }, 405, { name: 'Allow', value: ALLOWED.join(', ') }],
    ['a sips URI over UDP', { uri: 'sips:1@10.0.0.1' }, 416, undefined],
    ['an extension', { headers: [requireOther] }, 420, { name: 'Unsupported', value: 'precondition' }],
    [
      'a compressed body',
      { headers: [{ name: 'Content-Encoding', value: 'gzip' }], body: 'x' },
      415,
      { name: 'Accept-Encoding', value: 'identity' },
    ],
    ['another part that is required', parts('multipart/mixed', 'signal; handling=REQUIRED'), 415, ACCEPT],
    ['another body in UPDATE', { method: 'UPDATE', headers: [type('text/plain')], body: 'x' }, 415, ACCEPT],
  ])('refuses %s', (_what, change, status, header) => {
    expect(checkRequest(requestOf(change), ALLOWED, 'udp')).toEqual({
      status,
      headers: header ? [header] : [],
    });
  });

  it('accepts a sips URI over TLS', () => {
    expect(checkRequest(requestOf({ uri: 'sips:1@10.0.0.1' }), ALLOWED, 'tls')).toBeNull();
  });

  it('throws on headers in the Request-URI and on an unknown scheme', () => {
    expect(() => checkRequest(requestOf({ uri: 'sip:1@10.0.0.1?Subject=x' }), ALLOWED, 'udp')).toThrow(
      'the Request-URI carries headers',
    );
    expect(() => checkRequest(requestOf({ uri: 'mailto:a@b' }), ALLOWED, 'udp')).toThrow('not a SIP URI');
  });
});
