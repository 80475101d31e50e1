/**
 * Opus listed together with G.711: it is chosen, both sides hear each other, and the call goes on when a re-INVITE removes it, and when
 * the far end sends G.711 without one.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { tone, tonePurity } from '@parley/audio';
import { silentLog, systemClock } from '@parley/runtime';
import { buildResponse, headerValue, parseMessage, serialiseMessage, type SipMessage } from '@parley/sip';
import { afterEach, expect, it } from 'vitest';
import type { CallLeg, MediaPort } from '../../src/call-leg.ts';
import type { MediaTarget } from '../../src/media-factory.ts';
import { createRtpMediaFactory } from '../../src/rtp/rtp-media-factory.ts';
import { createSipEndpoint } from '../../src/sip/sip-endpoint.ts';
import { LegEvents } from '../leg-events.ts';

const HOST = '127.0.0.1';
const CALL_ID = 'opus@test';
const RATE_HZ = 16_000;
/** Opus carries both, and G.711 the lower ones only. */
const WIDE_HZ = { ours: 6000, theirs: 5000 };
const NARROW_HZ = { ours: 1000, theirs: 440 };
/** Short enough to be heard without a gap on a busy machine. */
const HEARD_SAMPLES = RATE_HZ / 10;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const formats = (payloads: string): string[] =>
  ['a=rtpmap:111 opus/48000/2', 'a=fmtp:111 useinbandfec=1', 'a=rtpmap:0 PCMU/8000'].filter((line) =>
    payloads.split(' ').some((payload) => line.includes(`:${payload} `)),
  );
const describeAudio = (port: number, payloads: string): string =>
  [
    'v=0',
    'o=far 1 1 IN IP4 127.0.0.1',
    's=-',
    `c=IN IP4 ${HOST}`,
    't=0 0',
    `m=audio ${port} RTP/AVP ${payloads}`,
  ]
    .concat(formats(payloads), '')
    .join('\r\n');

/** Our endpoint, and a far end whose messages the test writes, with real media on both sides. */
async function setup() {
  const media = createRtpMediaFactory({ clock: systemClock, log: silentLog, ports: null });
  closers.push(() => media.stop());
  const listen = { host: HOST, port: 0 };
  const endpoint = createSipEndpoint({
    clock: systemClock,
    log: silentLog,
    listen,
    userAgent: 'Test',
    media,
  });
  await endpoint.start();
  closers.push(() => endpoint.stop());
  const rtp = await media.openMedia({ localHost: HOST, sampleRateHz: RATE_HZ });
  closers.push(() => rtp.close());
  const socket = createSocket('udp4').bind(0, HOST);
  closers.push(() => socket.close());
  await once(socket, 'listening');
  const received: SipMessage[] = [];
  let notice = (): void => undefined;
  socket.on('message', (bytes) => {
    received.push(parseMessage(bytes));
    notice();
  });
  const find = async (isWanted: (message: SipMessage) => boolean): Promise<SipMessage> => {
    for (;;) {
      const found = received.find(isWanted);
      if (found) return found;
      await new Promise<void>((resolve) => (notice = resolve));
    }
  };
  const { port } = socket.address();
  const send = (text: string | Uint8Array): void => socket.send(text, endpoint.address().port, HOST);
  /** The far end asks, and acknowledges the answer. @returns the description in the answer, and our tag */
  const invite = async (sequence: number, toTag: string, body: string): Promise<[string, string]> => {
    const request = (method: string, tag: string, content: string): string =>
      [
        `${method} sip:+12025550101@${HOST} SIP/2.0`,
        `Via: SIP/2.0/UDP ${HOST}:${port};branch=z9hG4bK-${method}-${sequence}`,
        'From: <sip:far@127.0.0.1>;tag=far',
        `To: <sip:+12025550101@${HOST}>${tag === '' ? '' : `;tag=${tag}`}`,
        `Call-ID: ${CALL_ID}`,
        `CSeq: ${sequence} ${method}`,
        `Contact: <sip:far@${HOST}:${port}>`,
        ...(content === '' ? [] : ['Content-Type: application/sdp']),
        `Content-Length: ${content.length}`,
        '',
        content,
      ].join('\r\n');
    send(request('INVITE', toTag, body));
    const answer = await find(
      (message) =>
        message.kind === 'response' &&
        message.status === 200 &&
        headerValue(message, 'CSeq') === `${sequence} INVITE`,
    );
    const ourTag = tagIn(answer, 'To');
    send(request('ACK', ourTag, ''));
    return [Buffer.from(answer.body).toString(), ourTag];
  };
  return { endpoint, rtp, port, find, send, invite };
}

function tagIn(message: SipMessage, name: string): string {
  return /;tag=([^;]+)/.exec(headerValue(message, name) ?? '')?.[1] ?? '';
}

const OPUS = { codec: 'opus', payloadType: 111 } as const;
const PCMU = { codec: 'PCMU', payloadType: 0 } as const;

function targetAt(description: string, how: Pick<MediaTarget, 'codec' | 'payloadType'>): MediaTarget {
  const remotePort = Number(/^m=audio (\d+) /m.exec(description)?.[1]);
  return { ...how, remoteHost: HOST, remotePort, telephoneEventPayloadType: null, direction: 'sendrecv' };
}

/** Resolves when the tone is heard, and nothing else, for a tenth of a second. */
async function hears(media: MediaPort, hz: number): Promise<void> {
  let heard: number[] = [];
  await new Promise<void>((resolve) => {
    media.onTick(({ received }) => {
      heard = [...heard, ...received].slice(-HEARD_SAMPLES);
      if (heard.length < HEARD_SAMPLES) return;
      if (tonePurity(Int16Array.from(heard), hz, RATE_HZ) > 0.9) resolve();
    });
  });
}

function play(media: MediaPort, hz: number): void {
  media.clear();
  media.play(1, tone({ hz, sampleRateHz: RATE_HZ, samples: RATE_HZ * 30 }));
}

/** Both sides hear the tone of the other. */
async function expectBothHear(leg: CallLeg, far: MediaPort, { ours, theirs }: typeof WIDE_HZ): Promise<void> {
  play(leg.media, ours);
  play(far, theirs);
  await Promise.all([hears(leg.media, theirs), hears(far, ours)]);
}

it('is chosen from an answer, and the far end may send G.711 and remove Opus later', async () => {
  const { endpoint, rtp, port, find, send, invite } = await setup();
  const leg = endpoint.dial({
    from: '+12025550100',
    to: '+12025550101',
    sipCallId: CALL_ID,
    trunk: { host: HOST, port, transport: 'udp', codecs: ['opus', 'PCMU'] },
    ringTimeoutMs: 10_000,
  });
  const events = new LegEvents(leg);
  const ours = await find((message) => message.kind === 'request' && message.method === 'INVITE');
  if (ours.kind !== 'request') throw new Error('An INVITE was expected');
  const offer = Buffer.from(ours.body).toString();
  expect(offer).toMatch(/^m=audio \d+ RTP\/AVP 111 0 101 110\r$/m);
  rtp.connect(targetAt(offer, OPUS));
  const headers = [
    { name: 'Contact', value: `<sip:far@${HOST}:${port}>` },
    { name: 'Content-Type', value: 'application/sdp' },
  ];
  const body = Buffer.from(describeAudio(rtp.localPort, '111 0'));
  send(serialiseMessage(buildResponse(ours, 200, { toTag: 'far', headers, body })));
  await events.next('answered');
  await expectBothHear(leg, rtp, WIDE_HZ);

  // RFC 3264 section 5.1: "the answerer MAY change formats in the middle of the session, making use of any of the formats listed,
  // without sending a new offer."
  rtp.connect(targetAt(offer, PCMU));
  play(rtp, NARROW_HZ.theirs);
  await hears(leg.media, NARROW_HZ.theirs);

  const [answer] = await invite(1, tagIn(ours, 'From'), describeAudio(rtp.localPort, '0'));
  expect(answer).toMatch(/^m=audio \d+ RTP\/AVP 0\r$/m);
  await expectBothHear(leg, rtp, NARROW_HZ);
});

it('is chosen from an offer, and the far end may remove it later', async () => {
  const { endpoint, rtp, invite } = await setup();
  const taken = Promise.withResolvers<CallLeg>();
  endpoint.onIncoming((leg) => {
    leg.answer({ codecs: ['opus', 'PCMU'] }).then(() => taken.resolve(leg), taken.reject);
  });
  const [answer, toTag] = await invite(1, '', describeAudio(rtp.localPort, '0 111'));
  expect(answer).toMatch(/^m=audio \d+ RTP\/AVP 111\r$/m);
  rtp.connect(targetAt(answer, OPUS));
  const leg = await taken.promise;
  await expectBothHear(leg, rtp, WIDE_HZ);
  const [changed] = await invite(2, toTag, describeAudio(rtp.localPort, '0'));
  rtp.connect(targetAt(changed, PCMU));
  await expectBothHear(leg, rtp, NARROW_HZ);
});
