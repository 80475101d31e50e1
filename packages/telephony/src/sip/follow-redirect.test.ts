import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog, systemClock } from '@parley/runtime';
import { answerCall } from '../../test/answer-call.ts';
import { LegEvents } from '../../test/leg-events.ts';
import { SilentMediaFactory } from '../../test/silent-media.ts';
import { allowedTargets } from './follow-redirect.ts';
import { createSipEndpoint } from './sip-endpoint.ts';
import type { SipEndpointOptions } from './sip-endpoint-options.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function startEndpoint(options: Partial<SipEndpointOptions> = {}) {
  const endpoint = createSipEndpoint({
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    userAgent: 'Test',
    media: new SilentMediaFactory(),
    ...options,
  });
  await endpoint.start();
  closers.push(() => endpoint.stop());
  return endpoint;
}

/** A trunk that answers every INVITE with a 302 to this Contact. */
async function startRedirector(contact: string): Promise<number> {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, from) => {
    const [start = '', ...lines] = bytes.toString().split('\r\n');
    if (!start.startsWith('INVITE')) return;
    const copied = lines.filter((line) => /^(Via|From|To|Call-ID|CSeq):/.test(line));
    const tagged = copied.map((line) => (line.startsWith('To:') ? `${line};tag=x` : line));
    const response = ['SIP/2.0 302 Moved', ...tagged, `Contact: ${contact}`, 'Content-Length: 0', '', ''];
    socket.send(response.join('\r\n'), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closers.push(() => socket.close());
  return socket.address().port;
}

/** A call over a trunk that redirects it, and the hosts that got messages of it. */
async function dial(contact: string) {
  const port = await startRedirector(contact);
  const hosts: string[] = [];
  const endpoint = await startEndpoint({
    allowPrivateTrunks: 'loopback',
    onDatagram: (direction, _bytes, peer) => direction === 'out' && hosts.push(`${peer.host}:${peer.port}`),
  });
  const trunk = { host: '127.0.0.1', port, transport: 'udp' as const };
  const numbers = { from: '+12025550100', to: '+12025550101' };
  const leg = endpoint.dial({ ...numbers, sipCallId: 'redirected@test', trunk, ringTimeoutMs: 5000 });
  return { leg, events: new LegEvents(leg), hosts, own: `127.0.0.1:${port}` };
}

describe('a redirected call', () => {
  it('reaches the other host', async () => {
    const callee = await startEndpoint();
    callee.onIncoming((incoming) => answerCall(incoming));
    const { leg, events } = await dial(`<sip:+12025550101@127.0.0.1:${callee.address().port}>`);
    await events.next('answered');
    await leg.hangUp();
    expect(events.types()).toEqual(['answered', 'ended']);
  });

  it.each(['10.0.0.1', '169.254.169.254'])('sends nothing to %s, and ends with the reason', async (host) => {
    const { events, hosts, own } = await dial(`<sip:+12025550101@${host}>`);
    expect(await events.end()).toMatchObject({ cause: 'rejected', sipStatus: 302 });
    expect((await events.end()).detail).toContain('not allowed');
    expect(new Set(hosts)).toEqual(new Set([own]));
  });

  it('tries the next target when the first one is not allowed', async () => {
    const callee = await startEndpoint();
    callee.onIncoming((incoming) => answerCall(incoming));
    const target = `<sip:+12025550101@127.0.0.1:${callee.address().port}>;q=0.1`;
    const { leg, events } = await dial(`<sip:+12025550101@10.0.0.1>;q=0.9, ${target}`);
    await events.next('answered');
    await leg.hangUp();
  });
});

describe('the addresses to which a host may redirect', () => {
  it.each([
    ['8.8.8.8', { isTrusted: true, allowed: 'all' }, 'none'],
    [null, { isTrusted: true, allowed: 'all' }, 'none'],
    ['10.0.0.1', { allowed: 'loopback' }, 'loopback'],
    ['10.0.0.1', { isTrusted: true, allowed: 'none' }, 'all'],
    ['127.0.0.1', { allowed: 'all' }, 'all'],
  ] as const)('are for %s with %j: %s', (host, trunk, expected) => {
    expect(allowedTargets(host, trunk)).toBe(expected);
  });
});
