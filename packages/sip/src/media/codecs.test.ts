import { describe, expect, it } from 'vitest';
import { MediaNegotiation } from './media-negotiation.ts';
import { answerOffer, isAudioUsable, readAnswer, type LocalMedia } from './offer-answer.ts';
import { CODECS, type Codec } from './codecs.ts';

const sdp = (...lines: string[]): string =>
  ['v=0', 'o=x 1 1 IN IP4 192.0.2.1', 's=-', 'c=IN IP4 192.0.2.1', 't=0 0', ...lines, ''].join('\r\n');
const WIDE = sdp(
  'm=audio 5000 RTP/AVP 0 8 9 98 99 100',
  'a=rtpmap:98 opus/48000/2',
  'a=fmtp:98 useinbandfec=1; maxaveragebitrate=20000',
  'a=rtpmap:99 telephone-event/8000',
  'a=rtpmap:100 telephone-event/48000',
);

function setup(codecs?: readonly Codec[]) {
  const local: LocalMedia = { host: '10.0.0.1', port: 4000, ...(codecs ? { codecs } : {}) };
  const negotiation = new MediaNegotiation(local, (count) => new Uint8Array(count));
  const agreedOn = (offer: string) => {
    const result = answerOffer(offer, local);
    return result.isAcceptable ? result.agreed : null;
  };
  return { negotiation, agreedOn };
}

describe('our offer', () => {
  it.each<[readonly Codec[] | undefined, string[]]>([
    [undefined, ['m=audio 4000 RTP/AVP 0 8 101', 'a=rtpmap:101 telephone-event/8000']],
    [
      ['G722', 'PCMA'],
      ['m=audio 4000 RTP/AVP 9 8 101', 'a=rtpmap:9 G722/8000'],
    ],
    [
      ['opus', 'PCMU'],
      [
        'm=audio 4000 RTP/AVP 111 0 101 110',
        'a=rtpmap:111 opus/48000/2',
        'a=fmtp:111 maxplaybackrate=16000;sprop-maxcapturerate=16000;useinbandfec=1',
        'a=rtpmap:110 telephone-event/48000',
        'a=fmtp:110 0-15',
      ],
    ],
    [['opus'], ['m=audio 4000 RTP/AVP 111 110']],
  ])('of %j', (codecs, lines) => {
    const offer = setup(codecs).negotiation.offer();
    for (const line of lines) expect(offer.split('\r\n')).toContain(line);
  });
});

describe('the answer', () => {
  it.each<[readonly Codec[] | undefined, object | null]>([
    [undefined, { codec: 'PCMU', telephoneEventPayloadType: 99 }],
    [['PCMA', 'PCMU'], { codec: 'PCMA', payloadType: 8 }],
    [['G722', 'PCMU'], { codec: 'G722', payloadType: 9, telephoneEventPayloadType: 99 }],
    [
      ['opus', 'G722'],
      {
        codec: 'opus',
        payloadType: 98,
        telephoneEventPayloadType: 100,
        telephoneEventClockRateHz: 48_000,
        maxBitrate: 20_000,
      },
    ],
  ])('with the codecs %j', (codecs, expected) => {
    expect(setup(codecs).agreedOn(WIDE)).toMatchObject(expected ?? {});
  });

  it('repeats the payload types of the offer', () => {
    const answer = setup(['opus']).negotiation.answer(WIDE)?.split('\r\n');
    expect(answer).toContain('m=audio 4000 RTP/AVP 98 100');
    expect(answer).toContain('a=rtpmap:98 opus/48000/2');
    expect(answer).toContain('a=rtpmap:100 telephone-event/48000');
  });

  it('refuses an offer without a codec of the setting', () => {
    expect(setup(['opus']).agreedOn(sdp('m=audio 5000 RTP/AVP 0 8 9'))).toBeNull();
    expect(setup().agreedOn(sdp('m=audio 5000 RTP/AVP 9'))).toBeNull();
  });

  it.each([
    ['opus/48000', true],
    ['OPUS/48000/2', true],
    ['opus/8000/2', false],
    ['G722/16000', false],
    ['PCMU/8000/2', false],
    ['G722/8000/1', true],
  ])('takes %s: %s', (map, isTaken) => {
    const agreed = setup(CODECS).agreedOn(sdp('m=audio 5000 RTP/AVP 96', `a=rtpmap:96 ${map}`));
    expect(agreed !== null).toBe(isTaken);
  });

  it('uses keys of 8000 Hz beside Opus when there are no others', () => {
    const offer = sdp(
      'm=audio 5000 RTP/AVP 96 97',
      'a=rtpmap:96 opus/48000/2',
      'a=rtpmap:97 telephone-event/8000',
    );
    const agreed = setup(['opus']).agreedOn(offer);
    expect(agreed).toMatchObject({ telephoneEventPayloadType: 97 });
    expect(agreed).not.toHaveProperty('telephoneEventClockRateHz');
  });

  it.each([
    'maxaveragebitrate=',
    'maxaveragebitrate=-5',
    'maxaveragebitrate=100',
    'maxaveragebitrate=99999999999',
    'maxaveragebitrate=2e4',
    '=;=;;maxaveragebitrate',
    ';'.repeat(500),
  ])('ignores the malformed parameter %s', (parameters) => {
    const offer = sdp('m=audio 5000 RTP/AVP 96', 'a=rtpmap:96 opus/48000/2', `a=fmtp:96 ${parameters}`);
    const agreed = setup(['opus']).agreedOn(offer);
    expect(agreed).toMatchObject({ codec: 'opus' });
    expect(agreed).not.toHaveProperty('maxBitrate');
  });
});

it('the first codec of an answer counts, if we have offered it', () => {
  const { negotiation } = setup(['opus', 'G722', 'PCMU']);
  negotiation.offer();
  expect(negotiation.takeAnswer(sdp('m=audio 5000 RTP/AVP 8 9 111', 'a=rtpmap:111 opus/48000/2'))).toBe(true);
  expect(negotiation.agreed?.codec).toBe('G722');
  expect(readAnswer(sdp('m=audio 5000 RTP/AVP 9'))).toBeNull();
});

it('a later offer can change the codec', () => {
  const { negotiation } = setup(['opus', 'G722', 'PCMU']);
  negotiation.answer(WIDE);
  expect(negotiation.agreed?.codec).toBe('opus');
  negotiation.answer(sdp('m=audio 5000 RTP/AVP 0 99', 'a=rtpmap:99 telephone-event/8000'));
  expect(negotiation.agreed).toMatchObject({ codec: 'PCMU', telephoneEventPayloadType: 99 });
});

it('audio is usable with a codec that the trunk allows', () => {
  expect(isAudioUsable(sdp('m=audio 5000 RTP/AVP 9'))).toBe(false);
  expect(isAudioUsable(sdp('m=audio 5000 RTP/AVP 9'), ['G722'])).toBe(true);
  expect(isAudioUsable(sdp('m=audio 5000 RTP/AVP 0'), ['G722'])).toBe(false);
  expect(isAudioUsable(WIDE, ['opus'])).toBe(true);
});
