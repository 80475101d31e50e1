import { describe, expect, it } from 'vitest';
import { cryptoSuites } from './crypto-line.ts';
import { MediaNegotiation } from './media-negotiation.ts';
import { answerOffer, readAnswer, type AgreedMedia } from './offer-answer.ts';

const HEAD = ['v=0', 'o=x 1 1 IN IP4 192.0.2.1', 's=-', 'c=IN IP4 192.0.2.1', 't=0 0'];
const sdp = (...lines: string[]): string => [...HEAD, ...lines, ''].join('\r\n');
const negotiation = () =>
  new MediaNegotiation({ host: '10.0.0.1', port: 4000 }, (count) => new Uint8Array(count));

function agreed(offer: string, host = '10.0.0.1'): AgreedMedia | null {
  const result = answerOffer(offer, { host, port: 4000 });
  return result.isAcceptable ? result.agreed : null;
}

describe('the answer to an offer', () => {
  it.each([
    ['the first law offered', sdp('m=audio 5000 RTP/AVP 8 0'), { codec: 'PCMA', payloadType: 8 }],
    ['a law we speak behind others', sdp('m=audio 5000 RTP/AVP 18 9 0'), { codec: 'PCMU', payloadType: 0 }],
    [
      'a law under a dynamic number',
      sdp('m=audio 5000 RTP/AVP 96', 'a=rtpmap:96 pcma/8000'),
      { codec: 'PCMA', payloadType: 96 },
    ],
    [
      'keys under the number offered',
      sdp('m=audio 5000 RTP/AVP 0 99', 'a=rtpmap:99 telephone-event/8000'),
      { telephoneEventPayloadType: 99 },
    ],
    ['no keys where none are offered', sdp('m=audio 5000 RTP/AVP 0'), { telephoneEventPayloadType: null }],
    [
      'the address of the media section',
      sdp('m=audio 5000 RTP/AVP 0', 'c=IN IP4 192.0.2.7'),
      { remoteHost: '192.0.2.7', remotePort: 5000 },
    ],
    ['a port with a number of ports', sdp('m=audio 5000/2 RTP/AVP 0'), { remotePort: 5000 }],
  ])('takes %s', (_, offer, expected) => {
    expect(agreed(offer)).toMatchObject(expected);
  });

  it.each<[string, string[], Partial<AgreedMedia> | null]>([
    ['20', ['a=maxptime:20'], { codec: 'PCMU' }],
    ['19', ['a=maxptime:19'], { codec: 'PCMU', packetMs: 10 }],
    ['10', ['a=maxptime:10'], { codec: 'PCMU', packetMs: 10 }],
    ['9', ['a=maxptime:9'], null],
    ['0, which has no meaning', ['a=maxptime:0'], { codec: 'PCMU' }],
  ])('takes packets of at most %s ms', (_, lines, expected) => {
    const result = agreed(sdp('m=audio 5000 RTP/AVP 0', ...lines));
    expect(result?.packetMs).toBe(expected?.packetMs);
    expect(result?.codec).toBe(expected?.codec);
    expect(agreed(sdp(...lines, 'm=audio 5000 RTP/AVP 0'))).toEqual(result);
    expect(readAnswer(sdp('m=audio 5000 RTP/AVP 0', ...lines))).toEqual(result);
  });

  it('does not use Opus in packets of 10 ms', () => {
    const audio = ['m=audio 5000 RTP/AVP 96 0', 'a=rtpmap:96 opus/48000/2'];
    const local = { host: '10.0.0.1', port: 4000, codecs: ['opus', 'PCMU'] } as const;
    expect(answerOffer(sdp(...audio), local)).toMatchObject({ agreed: { codec: 'opus' } });
    expect(answerOffer(sdp(...audio, 'a=maxptime:10'), local)).toMatchObject({ agreed: { codec: 'PCMU' } });
  });

  it('takes no IPv6 media on an IPv4 listener', () => {
    const offer = sdp('m=audio 5000 RTP/AVP 0', 'c=IN IP6 2001:db8::1');
    expect(agreed(offer, '2001:db8::2')).toMatchObject({ remoteHost: '2001:db8::1' });
    expect(agreed(offer, '192.0.2.2')).toBeNull();
  });

  it.each([
    ['sendrecv', 'sendrecv'],
    ['sendonly', 'recvonly'],
    ['recvonly', 'sendonly'],
    ['inactive', 'inactive'],
  ])('agrees for %s on %s', (theirs, ours) => {
    expect(agreed(sdp('m=audio 5000 RTP/AVP 0', `a=${theirs}`))?.direction).toBe(ours);
    expect(negotiation().answer(sdp('m=audio 5000 RTP/AVP 0', `a=${theirs}`))).toContain(`a=${ours}`);
  });

  it('uses the direction of the session when the section has none', () => {
    expect(agreed(sdp('a=sendonly', 'm=audio 5000 RTP/AVP 0'))?.direction).toBe('recvonly');
  });

  it('sends nothing to 0.0.0.0, the hold of RFC 2543', () => {
    expect(agreed(sdp('m=audio 5000 RTP/AVP 0', 'c=IN IP4 0.0.0.0'))?.direction).toBe('recvonly');
  });

  it('rejects every other section with port 0, in its position', () => {
    const answer = negotiation().answer(
      sdp(
        'm=video 5002 RTP/AVP 31',
        'm=audio 5004 RTP/SAVP 0',
        'm=audio 5000 RTP/AVP 0 101',
        'a=rtpmap:101 telephone-event/8000',
        'm=image 5006 udptl t38',
        'm=application 9/2 TCP/MSRP *',
      ),
    );
    expect(answer?.match(/^m=.*$/gm)).toEqual([
      'm=video 0 RTP/AVP 31',
      'm=audio 0 RTP/SAVP 0',
      'm=audio 4000 RTP/AVP 0 101',
      'm=image 0 udptl t38',
      'm=application 0 TCP/MSRP *',
    ]);
  });

  it.each([
    ['no sound at all', sdp('m=video 5000 RTP/AVP 31')],
    ['sound switched off', sdp('m=audio 0 RTP/AVP 0')],
    ['no law we speak', sdp('m=audio 5000 RTP/AVP 18')],
    ['only encrypted sound', sdp('m=audio 5000 RTP/SAVP 0')],
    ['a law at another rate', sdp('m=audio 5000 RTP/AVP 96', 'a=rtpmap:96 PCMU/16000')],
    ['a name instead of an address', sdp('m=audio 5000 RTP/AVP 0', 'c=IN IP4 example.org')],
    ['no address', ['v=0', 's=-', 't=0 0', 'm=audio 5000 RTP/AVP 0', ''].join('\r\n')],
    ['numbers in wrong places', sdp('m=5 x 7 9', 'a=rtpmap:x y', 'a=5')],
    ['nothing', ''],
    ['no description', 'hello'],
  ])('is null for %s', (_, offer) => {
    expect(negotiation().answer(offer)).toBeNull();
  });

  it('has the time of the offer, which our next offer keeps', () => {
    const ours = negotiation();
    expect(ours.answer(sdp('m=audio 5000 RTP/AVP 0'))).toContain('\r\nt=0 0\r\n');
    const limited = sdp('m=audio 5000 RTP/AVP 0').replace('t=0 0', 't=3724394400 3724398000');
    expect(ours.answer(limited)).toContain('\r\nt=3724394400 3724398000\r\n');
    expect(ours.offer()).toContain('\r\nt=3724394400 3724398000\r\n');
    expect(negotiation().answer(sdp('m=audio 5000 RTP/AVP 0').replace('t=0 0\r\n', ''))).toContain('t=0 0');
  });

  it('is null for a description with too many sections', () => {
    expect(agreed(sdp(...Array.from({ length: 40 }, () => 'm=audio 5000 RTP/AVP 0')))).toBeNull();
  });
});

describe('the answer to our offer', () => {
  it('is seen from our side', () => {
    expect(
      readAnswer(sdp('m=audio 5000 RTP/AVP 8 101', 'a=rtpmap:101 telephone-event/8000', 'a=recvonly')),
    ).toEqual({
      remoteHost: '192.0.2.1',
      remotePort: 5000,
      codec: 'PCMA',
      payloadType: 8,
      telephoneEventPayloadType: 101,
      direction: 'sendonly',
    });
  });

  it('is null when the audio stream is rejected', () => {
    expect(readAnswer(sdp('m=audio 0 RTP/AVP 0'))).toBeNull();
  });

  it.each<[string, string[], Partial<AgreedMedia>]>([
    ['nothing else for the numbers of our offer', ['0 101', 'a=rtpmap:101 telephone-event/8000'], {}],
    ['each law that it lists', ['0 8'], { alsoReceived: [{ payloadType: 8, content: 'PCMA' }] }],
    [
      'our numbers of keys and of a law to which it gives others',
      ['96 97', 'a=rtpmap:96 PCMU/8000', 'a=rtpmap:97 telephone-event/8000'],
      {
        payloadType: 96,
        telephoneEventPayloadType: 97,
        alsoReceived: [
          { payloadType: 0, content: 'PCMU' },
          { payloadType: 101, content: 'events' },
        ],
      },
    ],
  ])('has us receive %s', (_, [payloads = '', ...lines], expected) => {
    const ours = negotiation();
    ours.offer();
    expect(ours.takeAnswer(sdp(`m=audio 5000 RTP/AVP ${payloads}`, ...lines))).toBe(true);
    expect(ours.agreed).toMatchObject(expected);
    expect(ours.agreed?.alsoReceived).toEqual(expected.alsoReceived);
  });

  it.each([
    ['96 0', 'a law beside Opus', [111, 'opus'], [0, 'PCMU']],
    ['0 96', 'no Opus beside a law'],
  ])('%s: has us receive %s', (payloads, _what, ...expected) => {
    const codecs = ['opus', 'PCMU'] as const;
    const ours = new MediaNegotiation({ host: '10.0.0.1', port: 4000, codecs }, (n) => new Uint8Array(n));
    ours.offer();
    ours.takeAnswer(sdp(`m=audio 5000 RTP/AVP ${payloads}`, 'a=rtpmap:96 opus/48000/2'));
    const also = expected.map(([payloadType, content]) => ({ payloadType, content }));
    expect(ours.agreed?.alsoReceived ?? []).toEqual(also);
  });
});

describe('our description', () => {
  const version = (text: string | null): number => Number(/^o=- \d+ (\d+) /m.exec(text ?? '')?.[1]);

  it('has a version that increments exactly when it changes', () => {
    const ours = negotiation();
    const first = ours.offer();
    expect(version(ours.offer())).toBe(version(first));
    const held = ours.answer(sdp('m=audio 5000 RTP/AVP 0', 'a=sendonly'));
    expect(version(held)).toBe(version(first) + 1);
    expect(version(ours.answer(sdp('m=audio 6000 RTP/AVP 0', 'a=sendonly')))).toBe(version(held));
  });

  it('keeps the agreed media when a new offer is refused', () => {
    const ours = negotiation();
    ours.answer(sdp('m=audio 5000 RTP/AVP 0'));
    expect(ours.answer(sdp('m=audio 5000 RTP/AVP 18'))).toBeNull();
    expect(ours.agreed).toMatchObject({ remotePort: 5000 });
  });

  it('contains every line that a telephone needs', () => {
    expect(negotiation().offer().split('\r\n')).toEqual([
      'v=0',
      'o=- 0 1 IN IP4 10.0.0.1',
      's=-',
      'c=IN IP4 10.0.0.1',
      't=0 0',
      'm=audio 4000 RTP/AVP 0 8 101',
      'a=rtpmap:0 PCMU/8000',
      'a=rtpmap:8 PCMA/8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=fmtp:101 0-15',
      'a=ptime:20',
      'a=sendrecv',
      '',
    ]);
  });
});

describe('an encrypted stream', () => {
  const KEY = 'A'.repeat(40);
  const OTHER_KEY = 'B'.repeat(40);
  const [SUITE_80, SUITE_32] = cryptoSuites;
  /** Each key that it makes is another one. */
  const encrypting = () => {
    let count = 0;
    const random = (length: number) => new Uint8Array(length).fill((count += 1));
    return new MediaNegotiation({ host: '10.0.0.1', port: 4000, encryption: 'required' }, random);
  };
  const secure = (...crypto: string[]): string =>
    sdp('m=audio 5000 RTP/SAVP 0', ...crypto.map((line) => `a=crypto:${line}`));
  const cryptoOf = (text: string | null): string[] => text?.match(/^a=crypto:.*$/gm) ?? [];

  it('is answered with the tag and suite of the first usable key, and a key of our own', () => {
    const ours = encrypting();
    const answer = ours.answer(secure(`4 ${SUITE_32} inline:${KEY}|2^31`, `5 ${SUITE_80} inline:${KEY}`));
    const localKey = ours.agreed?.encryption?.localKey ?? '';
    expect(answer).toContain('m=audio 4000 RTP/SAVP 0');
    expect(cryptoOf(answer)).toEqual([`a=crypto:4 ${SUITE_32} inline:${localKey}`]);
    expect(Buffer.from(localKey, 'base64')).toHaveLength(30);
    expect(ours.agreed?.encryption).toEqual({ suite: SUITE_32, localKey, remoteKey: KEY });
  });

  it.each([
    ['plain audio', sdp('m=audio 5000 RTP/AVP 0')],
    ['keys beside plain audio', sdp('m=audio 5000 RTP/AVP 0', `a=crypto:1 ${SUITE_80} inline:${KEY}`)],
    ['no key', secure()],
    ['a suite that we do not have', secure(`1 F8_128_HMAC_SHA1_80 inline:${KEY}`)],
    ['a key that is too short', secure(`1 ${SUITE_80} inline:${KEY.slice(1)}`)],
    ['several keys, told apart by an MKI', secure(`1 ${SUITE_80} inline:${KEY}|2^20|1:4`)],
    ['packets that are not encrypted after all', secure(`1 ${SUITE_80} inline:${KEY} UNENCRYPTED_SRTP`)],
    ['that behind a harmless parameter', secure(`1 ${SUITE_80} inline:${KEY} WSH=64 UNENCRYPTED_SRTP`)],
  ])('is not agreed on with %s', (_sentence, offer) => {
    expect(encrypting().answer(offer)).toBeNull();
  });

  it('is chosen among several, and refused where it is not set up', () => {
    const both = sdp(
      'm=audio 5002 RTP/AVP 0',
      'm=audio 5000 RTP/SAVP 0',
      `a=crypto:1 ${SUITE_80} inline:${KEY}`,
    );
    expect(
      encrypting()
        .answer(both)
        ?.match(/^m=.*$/gm),
    ).toEqual(['m=audio 0 RTP/AVP 0', 'm=audio 4000 RTP/SAVP 0']);
    expect(
      negotiation()
        .answer(both)
        ?.match(/^m=.*$/gm),
    ).toEqual(['m=audio 4000 RTP/AVP 0', 'm=audio 0 RTP/SAVP 0']);
  });

  it('keeps our key while that of the far end stays, as on hold, and gets a new one with it', () => {
    const ours = encrypting();
    const keyFor = (key: string): string | undefined => {
      ours.answer(secure(`1 ${SUITE_80} inline:${key}`));
      return ours.agreed?.encryption?.localKey;
    };
    const first = keyFor(KEY);
    expect(keyFor(KEY)).toBe(first);
    const second = keyFor(OTHER_KEY);
    expect(second).not.toBe(first);
    expect(keyFor(KEY)).not.toBe(first);
  });

  it('is offered with a key for each suite, and other ones in the next offer', () => {
    const ours = encrypting();
    const offers = [cryptoOf(ours.offer()), cryptoOf(ours.offer())].flat();
    expect(offers.map((line) => line.split(' ')[1])).toEqual([SUITE_80, SUITE_32, SUITE_80, SUITE_32]);
    expect(new Set(offers.map((line) => line.split(' ')[2])).size).toBe(4);
  });

  it.each([
    ['the accepted key', `2 ${SUITE_32} inline:${KEY}`, true],
    ['a tag that we have not offered', `3 ${SUITE_32} inline:${KEY}`, false],
    ['another suite under our tag', `1 ${SUITE_32} inline:${KEY}`, false],
  ])('is agreed on by an answer with %s', (_sentence, line, isAgreed) => {
    const ours = encrypting();
    const offered = cryptoOf(ours.offer());
    expect(ours.takeAnswer(secure(line))).toBe(isAgreed);
    const agreedKey = ours.agreed?.encryption;
    if (isAgreed) expect(offered[1]).toBe(`a=crypto:2 ${agreedKey?.suite} inline:${agreedKey?.localKey}`);
    else expect(agreedKey).toBeUndefined();
  });

  it('is not agreed on by an answer with plain audio', () => {
    const ours = encrypting();
    ours.offer();
    expect(ours.takeAnswer(sdp('m=audio 5000 RTP/AVP 0'))).toBe(false);
  });
});
