import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog, systemClock, type Service } from '@parley/runtime';
import { answerCall } from '../../test/answer-call.ts';
import { LegEvents } from '../../test/leg-events.ts';
import { SilentMediaFactory } from '../../test/silent-media.ts';
import type { CallLeg } from '../call-leg.ts';
import { createSipFront, type FrontTarget, type SipFrontOptions } from './sip-front.ts';
import { createSipEndpoint } from './sip-endpoint.ts';
import type { SipEndpoint } from './sip-endpoint-port.ts';
import { SourceBans } from './source-bans.ts';

const open: Service[] = [];
afterEach(async () => {
  for (const service of open.splice(0)) await service.stop();
});

/** A UDP socket beside the stack, for requests that an endpoint does not send. */
async function openPeer(to: { host: string; port: number }, from = '127.0.0.1') {
  const socket = createSocket('udp4').bind(0, from);
  open.push({ start: async () => undefined, stop: async () => void socket.close() });
  await once(socket, 'listening');
  const ask = async (text: string): Promise<string> => {
    socket.send(text, to.port, to.host);
    const [answer] = (await once(socket, 'message')) as [Buffer];
    return answer.toString();
  };
  return { ask, socket };
}

const SDP = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 0',
  '',
].join('\r\n');

let requests = 0;

function rawRequest(method: string, toParams = ''): string {
  requests += 1;
  return [
    `${method} sip:probe@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK-raw-${requests};rport`,
    'Max-Forwards: 70',
    'From: <sip:probe@127.0.0.1>;tag=probe',
    `To: <sip:probe@127.0.0.1>${toParams}`,
    `Call-ID: raw-${requests}`,
    `CSeq: 1 ${method}`,
    'Contact: <sip:probe@127.0.0.1>',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}

async function startEndpoint(
  front?: { host: string; port: number },
  {
    onResumed,
    onTrusted,
  }: {
    onResumed?: (localTag: string, endpoint: SipEndpoint) => void;
    onTrusted?: (address: string) => void;
  } = {},
): Promise<SipEndpoint> {
  const endpoint = createSipEndpoint({
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    userAgent: 'Test',
    media: new SilentMediaFactory(),
    ...(front ? { front } : {}),
    ...(onTrusted ? { onTrusted } : {}),
    ...(onResumed ? { onResumed: (localTag: string) => onResumed(localTag, endpoint) } : {}),
  });
  await endpoint.start();
  open.push(endpoint);
  return endpoint;
}

/** A caller, a front, and endpoints behind it that take new calls in turn. */
async function setup(
  answerWith: (leg: CallLeg) => void,
  lineCount = 2,
  options: Pick<SipFrontOptions, 'bans' | 'mostChosen'> = {},
) {
  const endpoints: FrontTarget[] = [];
  const dead = new Set<FrontTarget>();
  const counted: string[] = [];
  const refused = new Set<string>();
  let turn = 0;
  const front = createSipFront({
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    ...options,
    endpoints: {
      choose: (callId) => {
        counted.push(callId);
        return (
          endpoints.filter((endpoint) => !dead.has(endpoint)).at(turn++ % Math.max(1, endpoints.length)) ??
          null
        );
      },
      any: () => endpoints.find((endpoint) => !dead.has(endpoint)) ?? null,
      refused: (callId) => refused.add(callId),
      isAlive: (endpoint) => !dead.has(endpoint),
      at: (port) => endpoints.find((endpoint) => endpoint.port === port) ?? null,
    },
  });
  await front.start();
  const caller = await startEndpoint();
  const received: { endpoint: number; leg: CallLeg; events: LegEvents; sourceAddress: string }[] = [];
  const sipEndpoints: SipEndpoint[] = [];
  for (let at = 0; at < lineCount; at += 1) {
    const endpoint = await startEndpoint(front.address(), {
      onResumed: (tag, next) => front.moveDialog(tag, next.address().port),
      onTrusted: (address) => front.trust(address),
    });
    endpoints.push(endpoint.address());
    sipEndpoints.push(endpoint);
    endpoint.onIncoming((leg, { sourceAddress }) => {
      received.push({ endpoint: at, leg, events: new LegEvents(leg), sourceAddress });
      answerWith(leg);
    });
  }
  open.push(front);
  let calls = 0;
  const dial = (transport: 'udp' | 'tcp' = 'udp') => {
    const leg = caller.dial({
      from: '+12025550100',
      to: '+12025550101',
      sipCallId: `call-${(calls += 1)}@test`,
      trunk: { ...front.address(), transport },
      ringTimeoutMs: 5000,
    });
    return { leg, events: new LegEvents(leg) };
  };
  return {
    dial,
    received,
    sipEndpoints,
    counted,
    refused,
    front: front.address(),
    countStranger: (source: string) => front.countStranger(source),
    kill: (at: number) => dead.add(endpoints[at] ?? { host: '', port: 0 }),
  };
}

describe('endpoints behind a front', () => {
  it.each(['udp', 'tcp'] as const)(
    'take calls in turn over %s, and each call stays with its endpoint',
    async (transport) => {
      const { dial, received } = await setup(answerCall);
      const calls = [dial(transport), dial(transport)];
      for (const { events } of calls) await events.next('answered');
      expect(received.map(({ endpoint }) => endpoint).toSorted((one, other) => one - other)).toEqual([0, 1]);
      expect(received[0]?.sourceAddress).toBe('127.0.0.1');
      await calls[0]?.leg.hangUp();
      await calls[1]?.leg.hangUp();
      for (const { events } of received) await events.end();
    },
  );

  it('receive the CANCEL of a ringing call', async () => {
    const { dial, received } = await setup((leg) => leg.ring());
    const { leg, events } = dial();
    await events.next('ringing');
    await leg.hangUp();
    expect(await received[0]?.events.end()).toMatchObject({ cause: 'cancelled' });
  });

  it('send refusals that reach the caller and end the count of the call', async () => {
    const { dial, counted, refused } = await setup((leg) => leg.reject(486));
    expect(await dial().events.end()).toMatchObject({ sipStatus: 486 });
    expect(counted).toEqual([expect.stringMatching(/^call-1@test ./)]);
    expect([...refused]).toEqual(counted);
  });

  it('answer OPTIONS, which do not count as calls', async () => {
    const { front, counted } = await setup(answerCall);
    const peer = await openPeer(front);
    expect(await peer.ask(rawRequest('OPTIONS'))).toMatch(/^SIP\/2\.0 200 /);
    expect(await peer.ask(rawRequest('BYE', ';tag=unknown'))).toMatch(/^SIP\/2\.0 481 /);
    expect(await peer.ask(rawRequest('INVITE', ';tag=unknown'))).toMatch(/^SIP\/2\.0 481 /);
    expect(counted).toEqual([]);
  });

  it('do not see requests without mandatory headers, which get 400', async () => {
    const { front, counted } = await setup(answerCall);
    const peer = await openPeer(front);
    const broken = rawRequest('INVITE').replaceAll(/(?:From|To|Call-ID): .*\r\n/g, '');
    expect(await peer.ask(broken)).toMatch(/^SIP\/2\.0 400 /);
    expect(counted).toEqual([]);
  });

  it('have strangers banned by the front after ten calls', async () => {
    const isExempt = (address: string): boolean => address === '127.0.0.1';
    const { front, countStranger } = await setup(answerCall, 1, { bans: new SourceBans(isExempt) });
    const stranger = await openPeer(front, '127.0.0.2');
    const other = await openPeer(front);
    expect(await stranger.ask(rawRequest('OPTIONS'))).toMatch(/^SIP\/2\.0 200 /);
    for (let call = 0; call < 10; call += 1) countStranger('127.0.0.2');
    const late: unknown[] = [];
    stranger.socket.on('message', (message) => late.push(message));
    stranger.socket.send(rawRequest('OPTIONS'), front.port, front.host);
    for (let at = 0; at < 2; at += 1)
      expect(await other.ask(rawRequest('OPTIONS'))).toMatch(/^SIP\/2\.0 200 /);
    expect(late).toEqual([]);
  });

  it('have the hosts that they call answered by the front, whatever these send', async () => {
    const { front, sipEndpoints } = await setup(answerCall, 1, { bans: new SourceBans(() => false) });
    const trunk = { host: '127.0.0.2', port: 9, transport: 'tcp' as const };
    const about = { from: '+12025550100', to: '+12025550101', sipCallId: 'out@test', ringTimeoutMs: 5000 };
    const leg = sipEndpoints[0]?.dial({ ...about, trunk });
    if (leg) await new LegEvents(leg).end();
    const callee = await openPeer(front, '127.0.0.2');
    for (let request = 0; request < 10; request += 1)
      expect(await callee.ask(rawRequest('MESSAGE'))).toMatch(/^SIP\/2\.0 405 /);
    expect(await callee.ask(rawRequest('OPTIONS'))).toMatch(/^SIP\/2\.0 200 /);
  });

  it('are forgotten, the oldest call first, when there are too many calls', async () => {
    const { front, counted } = await setup((leg) => leg.reject(486), 1, { mostChosen: 2 });
    const peer = await openPeer(front);
    const invites = [1, 2, 3].map(() => rawRequest('INVITE'));
    const [first = '', second = '', third = ''] = invites;
    for (const invite of [first, second, second, third, second, first]) await peer.ask(invite);
    const idOf = (invite: string): string => `${/Call-ID: (.*)\r/.exec(invite)?.[1]} probe`;
    await expect.poll(() => counted).toEqual([first, second, third, first].map(idOf));
  });

  it('receive what a far end sends to the front after another endpoint has taken its call over', async () => {
    const { front, received, sipEndpoints } = await setup(answerCall);
    const peer = await openPeer(front);
    const { port } = peer.socket.address();
    const contact = `<sip:probe@127.0.0.1:${port}>`;
    const withSdp = (text: string): string =>
      text.replace(
        'Content-Length: 0\r\n\r\n',
        `Content-Type: application/sdp\r\nContent-Length: ${SDP.length}\r\n\r\n${SDP}`,
      );
    const invite = withSdp(
      rawRequest('INVITE').replace('<sip:probe@127.0.0.1>\r\nContent', `${contact}\r\nContent`),
    );
    const next = async (start: string): Promise<string> => {
      for (;;) {
        const [message] = (await once(peer.socket, 'message')) as [Buffer];
        if (message.toString().startsWith(start)) return message.toString();
      }
    };
    const ok = next('SIP/2.0 200');
    peer.socket.send(invite, front.port, front.host);
    const tag = /^To: .*;tag=(.*)\r/m.exec(await ok)?.[1] ?? '';
    const [call] = received;
    const within = (method: string, sequence: number): string =>
      rawRequest(method, `;tag=${tag}`)
        .replace(/Call-ID: .*\r/, `Call-ID: ${call?.leg.id}\r`)
        .replace(/CSeq: \d+/, `CSeq: ${sequence}`);
    peer.socket.send(within('ACK', 1), front.port, front.host);
    const { dialog } = (await call?.events.next('answered')) ?? {};
    if (!call || !dialog) throw new Error('The call was not answered');

    call.leg.abandon?.();
    const reInvite = next('INVITE ');
    const resumed = sipEndpoints[1 - call.endpoint]?.resume({
      dialog: { ...dialog, localSequence: 100 },
      direction: 'inbound',
      from: '+12025550100',
      to: '+12025550101',
      trunk: { host: '127.0.0.1', port, transport: 'udp' },
      limitMs: 10_000,
    });
    if (!resumed) throw new Error('There is no other endpoint');
    const events = new LegEvents(resumed);
    const copied = (await reInvite)
      .split('\r\n')
      .filter((endpoint) => /^(?:Via|From|To|Call-ID|CSeq):/.test(endpoint));
    const answer = ['SIP/2.0 200 OK', ...copied, `Contact: ${contact}`, 'Content-Length: 0', '', ''].join(
      '\r\n',
    );
    const via = Number(/^Via: .*?:(\d+)/m.exec(answer)?.[1]);
    peer.socket.send(withSdp(answer), via, '127.0.0.1');
    await events.next('answered');
    const bye = next('SIP/2.0 ');
    peer.socket.send(within('BYE', 2).replace(tag, tag.toUpperCase()), front.port, front.host);
    expect(await bye).toMatch(/^SIP\/2\.0 200 /);
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
  });

  it('take calls in turn that have one Call-ID and different From tags, and see a copy of each', async () => {
    const { front, received, counted } = await setup((leg) => leg.reject(486));
    const peer = await openPeer(front);
    const invite = rawRequest('INVITE');
    const other = invite.replace(';tag=probe', ';tag=other').replace('branch=', 'branch=z9hG4bK-other');
    for (const first of [invite, other]) {
      expect(await peer.ask(first)).toMatch(/^SIP\/2\.0 (?:100|486) /);
      await expect.poll(() => received.at(-1)?.leg.callerTag).toBe(/From: .*;tag=(.*)\r/.exec(first)?.[1]);
      const copy = first.replace('branch=', 'branch=z9hG4bK-copy-');
      await expect.poll(() => peer.ask(copy)).toMatch(/^SIP\/2\.0 482 /);
    }
    expect(received.map(({ endpoint }) => endpoint)).toEqual([0, 1]);
    expect(counted).toHaveLength(2);
  });

  it('that are all dead or full answer with 503', async () => {
    const { dial, kill, received } = await setup(answerCall, 1);
    kill(0);
    expect(await dial().events.end()).toMatchObject({ sipStatus: 503 });
    expect(received).toHaveLength(0);
  });
});
