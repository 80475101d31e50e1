/** A fleet behind its front answers every request as a single process does. */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog, systemClock, type Service } from '@parley/runtime';
import {
  buildResponse,
  headerList,
  headerValue,
  parseMessage,
  serialiseMessage,
  type SipMessage,
  type SipResponse,
} from '@parley/sip';
import { createSipFront, type FrontTarget } from '../src/sip/sip-front.ts';
import { createSipEndpoint } from '../src/sip/sip-endpoint.ts';
import type { SipEndpoint } from '../src/sip/sip-endpoint-port.ts';
import { LegEvents } from './leg-events.ts';
import { SilentMediaFactory } from './silent-media.ts';
import { TORTURE_CASES } from './torture-messages.ts';

const LOCAL = { host: '127.0.0.1', port: 0 };
const SDP_LINES = ['v=0', 'o=far 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'];
const SDP = [...SDP_LINES, 'm=audio 40000 RTP/AVP 0', ''].join('\r\n');
const SDP_FIELD = { name: 'Content-Type', value: 'application/sdp' };
const open: Service[] = [];
let used = 0;

async function startEndpoint(front?: { host: string; port: number }): Promise<SipEndpoint> {
  const endpoint = createSipEndpoint({
    clock: systemClock,
    log: silentLog,
    listen: LOCAL,
    userAgent: 'Test',
    media: new SilentMediaFactory(),
    ...(front ? { front } : {}),
  });
  endpoint.onIncoming((leg) => leg.reject(486));
  await endpoint.start();
  open.push(endpoint);
  return endpoint;
}

/** A single endpoint, and a front with two endpoints: calls go to the second one, and what belongs to no call goes to the first one. */
async function startBoth() {
  const endpoints: FrontTarget[] = [];
  const front = createSipFront({
    clock: systemClock,
    log: silentLog,
    listen: LOCAL,
    endpoints: {
      choose: () => endpoints[1] ?? null,
      any: () => endpoints[0] ?? null,
      refused: () => undefined,
      isAlive: () => true,
      at: (port) => endpoints.find((endpoint) => endpoint.port === port) ?? null,
    },
  });
  await front.start();
  open.push(front);
  const first = await startEndpoint(front.address());
  const second = await startEndpoint(front.address());
  endpoints.push(first.address(), second.address());
  const single = await startEndpoint();
  return {
    single: { address: single.address(), endpoint: single },
    front: { address: front.address(), endpoint: second },
  };
}

let places: Awaited<ReturnType<typeof startBoth>>;
beforeAll(async () => {
  places = await startBoth();
});
afterAll(async () => {
  for (const service of open.splice(0).toReversed()) await service.stop();
});

type Place = keyof typeof places;
const PLACES: readonly Place[] = ['single', 'front'];

/** A far end with a socket of its own. */
async function farEnd(place: Place) {
  const socket = createSocket('udp4').bind(0, LOCAL.host);
  await once(socket, 'listening');
  const { port } = socket.address();
  const id = `${(used += 1)}`;
  const to = places[place].address;
  const received: { message: SipMessage; from: RemoteInfo }[] = [];
  let notice = (): void => undefined;
  socket.on('message', (bytes, from) => {
    received.push({ message: parseMessage(bytes), from });
    notice();
  });
  const fill = (text: string): string =>
    text.replaceAll('{host}', LOCAL.host).replaceAll('{port}', `${port}`).replaceAll('{id}', id);
  const send = (text: string, sendTo: { host: string; port: number } = to): void =>
    socket.send(fill(text), sendTo.port, sendTo.host);
  const reply = (bytes: Uint8Array, { address, port: back }: RemoteInfo): void =>
    socket.send(bytes, back, address);
  /** The first message with this property; it may have arrived already. */
  const find = async (isWanted: (message: SipMessage) => boolean) => {
    for (;;) {
      const found = received.find(({ message }) => isWanted(message));
      if (found) return found;
      await new Promise<void>((resolve) => {
        notice = resolve;
      });
    }
  };
  const respondedTo = (callId: string) => find((message) => headerValue(message, 'Call-ID') === callId);
  /** The final responses that have arrived when two further requests were answered, one after the other. */
  const settle = async (): Promise<SipResponse[]> => {
    for (const number of [1, 2]) {
      const callId = `sentinel-${id}-${received.length}-${number}`;
      send(requestOf('OPTIONS', { callId }));
      await respondedTo(callId);
    }
    return received.flatMap(({ message }) =>
      message.kind === 'response' && message.status >= 200 && !isSentinel(message) ? [message] : [],
    );
  };
  return { port, send, reply, find, settle, close: () => socket.close() };
}

function isSentinel(message: SipMessage): boolean {
  return headerValue(message, 'Call-ID')?.startsWith('sentinel') ?? false;
}

function isRequest(method: string): (message: SipMessage) => boolean {
  return (message) => message.kind === 'request' && message.method === method;
}

interface Parts {
  callId: string;
  sequence?: number;
  toTag?: string;
  more?: string[];
  body?: string;
}

let branches = 0;

function requestOf(method: string, { callId, sequence = 1, toTag, more = [], body = '' }: Parts): string {
  return [
    `${method} sip:+12025550101@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP {host}:{port};branch=z9hG4bK-${(branches += 1)}`,
    'From: <sip:+12025550100@{host}>;tag=far',
    `To: <sip:+12025550101@127.0.0.1>${toTag === undefined ? '' : `;tag=${toTag}`}`,
    `Call-ID: ${callId}`,
    `CSeq: ${sequence} ${method}`,
    'Contact: <sip:far@{host}:{port}>',
    ...more,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** What must not depend on the place: all but tags, and the ports of the sockets. */
function view(response: SipResponse): unknown {
  const fields = ['Call-ID', 'CSeq', 'Allow', 'Accept', 'Unsupported', 'Supported', 'Content-Type'];
  const neutral = (text: string): string =>
    text.replaceAll(/:\d{4,5}\b/g, ':port').replaceAll(/(torture|second)\d+/g, '$1');
  return {
    status: response.status,
    reason: response.reason,
    hasTag: /;tag=/.test(headerValue(response, 'To') ?? ''),
    vias: headerList(response, 'Via').map((via) =>
      neutral(via)
        .replace(/z9hG4bK\d+/, 'branch')
        .replace(/rport=\d+/, 'rport'),
    ),
    fields: fields.map((name) => neutral(headerValue(response, name) ?? '')),
  };
}

describe('requests outside a dialog are answered alike', () => {
  it.each(TORTURE_CASES)('%s (%s)', async (_name, status, text) => {
    const seen: unknown[] = [];
    for (const place of PLACES) {
      const peer = await farEnd(place);
      peer.send(text);
      const responses = await peer.settle();
      expect([...new Set(responses.map((response) => response.status))]).toEqual(
        status === null ? [] : [status],
      );
      seen.push(responses.slice(0, 1).map(view));
      peer.close();
    }
    expect(seen[1]).toEqual(seen[0]);
  });
});

const TOO_LARGE = 'Request Entity Too Large: the body is too large';

// RFC 3261 section 20.14: over a stream, "the Content-Length header field MUST be used."
describe.each(PLACES)('a connection to %s', (place) => {
  it.each([
    ['without Content-Length', '', 400, 'Bad Request: Content-Length is missing'],
    [
      'with a negative Content-Length',
      'Content-Length: -1\r\n',
      400,
      'Bad Request: Content-Length is not a number',
    ],
    ['with a Content-Length of 70 000', 'Content-Length: 70000\r\n', 413, TOO_LARGE],
    ['with a compact length of a gigabyte', 'l: 999999999\r\n', 413, TOO_LARGE],
  ])('is answered and ended after a request %s', async (_, length, status, reason) => {
    const request = requestOf('OPTIONS', { callId: `stream-${place}` })
      .replace('Content-Length: 0\r\n', length)
      .replace('/UDP', '/TCP')
      .replaceAll('{host}', LOCAL.host)
      .replaceAll('{port}', '1');
    const socket = connect(places[place].address);
    socket.write(`${request}${request}`);
    const answer = parseMessage(await textOf(socket), 'tcp');
    expect(answer).toMatchObject({ status, reason });
    expect(headerValue(answer, 'Call-ID')).toBe(`stream-${place}`);
  });
});

/** A call of the endpoint to the far end. The front has not seen it: it knows the endpoint of its requests by their tag only. */
async function answeredCall(place: Place) {
  const peer = await farEnd(place);
  const callId = `dialog-${(used += 1)}`;
  const leg = places[place].endpoint.dial({
    from: '+12025550100',
    to: '+12025550101',
    sipCallId: callId,
    trunk: { host: LOCAL.host, port: peer.port, transport: 'udp' },
    ringTimeoutMs: 5000,
  });
  const events = new LegEvents(leg);
  const { message: invite, from } = await peer.find(isRequest('INVITE'));
  if (invite.kind !== 'request') throw new Error('An INVITE was expected');
  const contact = { name: 'Contact', value: `<sip:far@${LOCAL.host}:${peer.port}>` };
  const extras = { toTag: 'far', headers: [contact, SDP_FIELD], body: Buffer.from(SDP) };
  peer.reply(serialiseMessage(buildResponse(invite, 200, extras)), from);
  await peer.find(isRequest('ACK'));
  await events.next('answered');
  const toTag = /;tag=([^;]+)/.exec(headerValue(invite, 'From') ?? '')?.[1] ?? '';
  let sequence = 0;
  const ask = async (method: string, more: string[] = [], body = ''): Promise<number> => {
    sequence += 1;
    const cseq = `${sequence} ${method}`;
    peer.send(requestOf(method, { callId, sequence, toTag, more, body }));
    const isFinal = (message: SipMessage): boolean =>
      message.kind === 'response' && message.status >= 200 && headerValue(message, 'CSeq') === cseq;
    const { message } = await peer.find(isFinal);
    if (method === 'INVITE') peer.send(requestOf('ACK', { callId, sequence, toTag }));
    return message.kind === 'response' ? message.status : 0;
  };
  return { peer, events, ask, callId, toTag };
}

describe('requests inside a dialog', () => {
  it.each<[Place]>([['single'], ['front']])('reach the call: %s', async (place) => {
    const { peer, events, ask, callId, toTag } = await answeredCall(place);
    const type = 'Content-Type: application/sdp';
    expect(await ask('OPTIONS')).toBe(200);
    expect(await ask('INFO', ['Content-Type: application/dtmf-relay'], 'Signal=5\r\nDuration=100\r\n')).toBe(
      200,
    );
    expect(await ask('UPDATE')).toBe(200);
    expect(await ask('INVITE', [type], SDP)).toBe(200);
    expect(await ask('NOTIFY', ['Event: refer'])).toBe(481);
    expect(await ask('REFER', ['Refer-To: <sip:+12025550199@127.0.0.1>'])).toBe(405);
    expect(await ask('MESSAGE', ['Content-Type: text/plain'], 'hello')).toBe(405);
    expect(await ask('OPTIONS', ['Require: unknown'])).toBe(420);
    const pickUp = await farEnd(place);
    const replaces = `Replaces: ${callId};to-tag=${toTag};from-tag=far`;
    pickUp.send(requestOf('INVITE', { callId: `${callId}-next`, more: [replaces, type], body: SDP }));
    const { message: taken } = await pickUp.find(
      (message) => message.kind === 'response' && message.status >= 200,
    );
    expect(taken).toMatchObject({ status: 200 });
    const nextTag = /;tag=([^;]+)/.exec(headerValue(taken, 'To') ?? '')?.[1] ?? '';
    pickUp.send(requestOf('ACK', { callId: `${callId}-next`, toTag: nextTag }));
    const { message: bye, from } = await peer.find(isRequest('BYE'));
    if (bye.kind === 'request') peer.reply(serialiseMessage(buildResponse(bye, 200)), from);
    pickUp.send(requestOf('BYE', { callId: `${callId}-next`, sequence: 2, toTag: nextTag }));
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
    peer.close();
    pickUp.close();
  });
});

describe('a front', () => {
  it('returns no response of a stranger', async () => {
    const victim = await farEnd('front');
    const { host, port } = places.front.address;
    const forged = [
      'SIP/2.0 200 OK',
      `Via: SIP/2.0/UDP ${host}:${port};branch=z9hG4bK-forged`,
      'Via: SIP/2.0/UDP {host}:{port};branch=z9hG4bK-next',
      'From: <sip:a@127.0.0.1>;tag=a',
      'To: <sip:b@127.0.0.1>;tag=b',
      'Call-ID: forged',
      'CSeq: 1 INVITE',
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n');
    victim.send(forged);
    expect(await victim.settle()).toEqual([]);
    victim.close();
  });

  it('refuses a request that does not fit into a datagram once it is forwarded', async () => {
    const peer = await farEnd('front');
    const length = 65_480 - requestOf('OPTIONS', { callId: 'long' }).length;
    peer.send(requestOf('OPTIONS', { callId: 'long', more: [`X-Long: ${'x'.repeat(length)}`] }));
    expect(await peer.settle()).toMatchObject([{ status: 413 }]);
    peer.close();
  });
});
