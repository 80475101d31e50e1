import { describe, expect, it } from 'vitest';
import { readableMessage } from './readable-message.ts';

function read(lines: readonly string[], body: readonly string[] = []): string {
  const text = [...lines, '', ''].join('\r\n') + body.map((line) => `${line}\r\n`).join('');
  return readableMessage(Buffer.from(text));
}

describe('a stored SIP message', () => {
  it('has no digest answers, also not folded ones', () => {
    const text = read([
      'INVITE sip:1@example.com SIP/2.0',
      'Authorization: Digest username="a",',
      ' response="secret1"',
      'proxy-authorization : Digest response="secret2"',
      'Call-ID: abc',
    ]);
    expect(text).not.toContain('secret');
    expect(text).toContain('Authorization: [removed]\r\nproxy-authorization : [removed]\r\nCall-ID: abc');
  });

  it('has no keys of SRTP, and the length of the body that is left', () => {
    const body = [
      'v=0',
      'k=clear:secret',
      'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:secret',
      'm=audio 1 RTP/AVP 0',
    ];
    const text = read(['SIP/2.0 200 OK', 'Content-Type: application/sdp', 'Content-Length: 99'], body);
    expect(text).not.toContain('secret');
    const kept = text.split('\r\n\r\n')[1] ?? '';
    expect(kept).toContain('a=crypto:[removed]\r\nm=audio 1 RTP/AVP 0');
    expect(text).toContain(`Content-Length: ${kept.length}`);
  });

  it('has no body that may hold what a person has entered', () => {
    const head = ['INFO sip:1@example.com SIP/2.0', 'c: application/dtmf-relay', 'l: 24'];
    const text = read(head, ['Signal=5', 'Duration=160']);
    expect(text).toContain('[a body of the type application/dtmf-relay was removed]');
    expect(text).not.toContain('Signal');
  });

  it('can be stored whatever a stranger sends', () => {
    expect(readableMessage(Uint8Array.of(73, 0, 255, 254))).toBe('I\uFFFD\uFFFD');
    expect(readableMessage(Buffer.from('Authorization: Digest respo'))).toBe('Authorization: [removed]');
  });
});
