import { describe, expect, it } from 'vitest';
import { LONGEST_OFFER, readOffer, writeAnswer, type SessionOffer } from './session-offer.rules.ts';

/** An offer of Chromium, shortened. */
const OFFER = [
  'v=0',
  'o=- 9186434986442211205 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126',
  'c=IN IP4 0.0.0.0',
  'a=candidate:1 1 udp 2122194687 10.0.0.1 53769 typ host',
  'a=ice-ufrag:C9FJ',
  'a=ice-pwd:znqipxXc78CXOrN1H+ifh/9V',
  'a=fingerprint:sha-256 24:20:03:CD:67:bf:39:BB:92:9A:FF:39:BB:94:C6:9C:CB:60:4A:2F:1C:1D:52:2E:9B:DF:24:D9:B7:C2:25:C9',
  'a=setup:actpass',
  'a=mid:0',
  'a=sendrecv',
  'a=rtcp-mux',
  'a=rtpmap:111 opus/48000/2',
  'a=rtpmap:63 red/48000/2',
  '',
].join('\r\n');

describe('the offer of a browser', () => {
  it('is read', () => {
    expect(readOffer(OFFER)).toMatchObject({ usernameFragment: 'C9FJ', mediaId: '0', opusPayloadType: 111 });
    expect((readOffer(OFFER) as SessionOffer).fingerprints[0]).toMatchObject({ hash: 'sha256' });
    expect((readOffer(OFFER) as SessionOffer).fingerprints[0]?.value).toMatch(/^24:20:03:CD:67:BF/);
  });

  it.each([
    ['no text', '', 'sections'],
    ['a text that is too long', OFFER + 'a=x\r\n'.repeat(LONGEST_OFFER / 5), 'too-long'],
    ['two sections', `${OFFER}m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n`, 'sections'],
    ['video', OFFER.replace('m=audio', 'm=video'), 'sections'],
    ['plain RTP', OFFER.replace('UDP/TLS/RTP/SAVPF', 'RTP/AVP'), 'sections'],
    ['a media id with a line of its own', OFFER.replace('a=mid:0', 'a=mid:0 a=setup:x'), 'sections'],
    ['no multiplexing', OFFER.replace('a=rtcp-mux\r\n', ''), 'multiplexing'],
    ['no ICE', OFFER.replace('a=ice-ufrag:C9FJ', ''), 'ice'],
    ['no fingerprint', OFFER.replace('a=fingerprint', 'a=other'), 'fingerprint'],
    ['a weak fingerprint', OFFER.replace('sha-256', 'sha-1'), 'fingerprint'],
    ['the role that we take', OFFER.replace('actpass', 'passive'), 'role'],
    ['no Opus', OFFER.replace('opus', 'speex'), 'opus'],
    ['Opus that is not in the section', OFFER.replace(' 111 63', ' 63'), 'opus'],
  ])('with %s is refused', (_name, text, fault) => {
    expect(readOffer(text)).toBe(fault);
  });

  it('of hostile length takes time in proportion to it', () => {
    expect(readOffer('a='.repeat(8000))).toBe('sections');
    expect(readOffer('\r\n'.repeat(8000))).toBe('sections');
  });
});

describe('our answer', () => {
  it('names our addresses only, best first, and is lite and passive', () => {
    const answer = writeAnswer({
      offer: readOffer(OFFER) as SessionOffer,
      usernameFragment: 'uuuu',
      password: 'p'.repeat(24),
      fingerprint: 'AA:BB',
      ssrc: 5,
      addresses: [
        { host: '198.51.100.7', port: 42_000 },
        { host: '2001:db8::1', port: 42_000 },
      ],
    });
    expect(answer).not.toContain('10.0.0.1');
    expect(answer.split('\r\n')).toEqual(
      expect.arrayContaining([
        'a=ice-lite',
        'a=setup:passive',
        'm=audio 9 UDP/TLS/RTP/SAVPF 111',
        'a=candidate:1 1 udp 2130706431 198.51.100.7 42000 typ host',
        'a=candidate:2 1 udp 2130706175 2001:db8::1 42000 typ host',
      ]),
    );
  });
});
