/** Which server of a trunk gets a call, with scripted servers on loopback addresses and a name server of the test. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { silentLog, systemClock } from '@parley/runtime';
import { DnsServer } from '@parley/testkit';
import { expect, it, onTestFinished } from 'vitest';
import type { TrunkAddress } from '../src/sip/dial-request.ts';
import { createSipEndpoint } from '../src/sip/sip-endpoint.ts';
import type { SipEndpointOptions } from '../src/sip/sip-endpoint-options.ts';
import { LegEvents } from './leg-events.ts';
import { SilentMediaFactory } from './silent-media.ts';

interface Invite {
  uri: string;
  callId: string;
  sequence: string;
  hasAuthorization: boolean;
}

/** A server that answers each INVITE with these statuses, one after the other. */
async function openServer(host: string, ...statuses: (number | string)[]) {
  const socket = createSocket('udp4');
  socket.bind(0, host);
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const invites: Invite[] = [];
  const branches = new Set<string>();
  socket.on('message', (bytes, { address, port }) => {
    const text = bytes.toString();
    const header = (name: string): string =>
      new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1]?.trim() ?? '';
    const uri = /^INVITE (\S+) /.exec(text)?.[1];
    if (uri === undefined || branches.has(header('Via'))) return;
    branches.add(header('Via'));
    invites.push({
      uri,
      callId: header('Call-ID'),
      sequence: header('CSeq'),
      hasAuthorization: header('Authorization') !== '',
    });
    for (const status of statuses) socket.send(answer(String(status), header), port, address);
  });
  return { host, port: socket.address().port, invites };
}

function answer(status: string, header: (name: string) => string): string {
  const [code] = status.split(' ');
  const lines = [
    `SIP/2.0 ${status === code ? `${code} Answer` : status}`,
    `Via: ${header('Via')}`,
    `From: ${header('From')}`,
    `To: ${header('To')}${code === '100' ? '' : ';tag=server'}`,
    `Call-ID: ${header('Call-ID')}`,
    `CSeq: ${header('CSeq')}`,
    ...(code === '401' ? ['WWW-Authenticate: Digest realm="trunk", nonce="n1"'] : []),
    'Content-Length: 0',
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

async function setup(options: Partial<SipEndpointOptions> = {}) {
  const endpoint = createSipEndpoint({
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    userAgent: 'Test',
    media: new SilentMediaFactory(),
    ...options,
  });
  await endpoint.start();
  onTestFinished(() => endpoint.stop());
  const dial = (trunk: Partial<TrunkAddress> & Pick<TrunkAddress, 'host' | 'port'>, ringTimeoutMs = 5000) => {
    const leg = endpoint.dial({
      from: '+12025550100',
      to: '+12025550101',
      sipCallId: 'attempt-1@test',
      trunk: { transport: 'udp', ...trunk },
      ringTimeoutMs,
    });
    return new LegEvents(leg);
  };
  return { endpoint, dial };
}

const at = ({ host, port }: { host: string; port: number }) => ({ host, port });

it('a call that the first server refuses with 503 goes to the next one as the same call', async () => {
  const first = await openServer('127.0.0.2', 100, 503);
  const second = await openServer('127.0.0.3', 486);
  const { dial } = await setup();
  const events = dial({ ...at(first), otherHosts: [at(second)] });
  expect(await events.next('failed-over')).toMatchObject({
    from: { address: '127.0.0.2', port: first.port },
    to: { address: '127.0.0.3', port: second.port },
  });
  expect((await events.next('ended')).end).toMatchObject({ cause: 'busy', sipStatus: 486 });
  expect(first.invites).toHaveLength(1);
  expect(second.invites).toMatchObject([
    { uri: `sip:+12025550101@127.0.0.3:${second.port}`, callId: 'attempt-1@test', sequence: '2 INVITE' },
  ]);
  expect(first.invites[0]?.callId).toBe('attempt-1@test');
});

it.each([[180], [183]])('a phone that rang (%i) before the 503 is not called again', async (ringing) => {
  const first = await openServer('127.0.0.2', ringing, 503);
  const second = await openServer('127.0.0.3', 486);
  const { dial } = await setup();
  const events = dial({ ...at(first), otherHosts: [at(second)] });
  expect((await events.next('ended')).end).toMatchObject({ cause: 'unreachable', sipStatus: 503 });
  expect(second.invites).toEqual([]);
});

it.each([408, 480, 486, 500, 502, 504, 600, 603])('the refusal %i is final', async (status) => {
  const first = await openServer('127.0.0.2', status);
  const second = await openServer('127.0.0.3', 486);
  const { dial } = await setup();
  const events = dial({ ...at(first), otherHosts: [at(second)] });
  expect((await events.next('ended')).end).toMatchObject({ sipStatus: status });
  expect(second.invites).toEqual([]);
});

it('a server that does not answer is not replaced: the phone may be ringing', async () => {
  const first = await openServer('127.0.0.2');
  const second = await openServer('127.0.0.3', 486);
  const { dial, endpoint } = await setup();
  const events = dial({ ...at(first), otherHosts: [at(second)] }, 1200);
  await expect.poll(() => first.invites.length).toBe(1);
  await endpoint.stop();
  expect((await events.next('ended')).end.cause).not.toBe('busy');
  expect(second.invites).toEqual([]);
});

it('a TCP server that refuses the connection is followed by the next one', async () => {
  const closed = await openServer('127.0.0.2');
  const { dial } = await setup();
  const callee = await setup({ listen: { host: '127.0.0.3', port: 0 } });
  callee.endpoint.onIncoming((leg) => leg.reject(486));
  const other = { host: '127.0.0.3', port: callee.endpoint.address().port };
  const events = dial({ ...at(closed), transport: 'tcp', otherHosts: [other] });
  expect((await events.next('ended')).end).toMatchObject({ cause: 'busy' });
});

it('answers the challenge of each server anew, with the user name for authentication', async () => {
  const first = await openServer('127.0.0.2', 503);
  const second = await openServer('127.0.0.3', 401);
  const { dial } = await setup();
  const account = { username: 'extension', authUsername: 'auth-id', password: 'secret' };
  const events = dial({ ...at(first), ...account, otherHosts: [at(second)] });
  await events.next('ended');
  expect(second.invites.map(({ hasAuthorization }) => hasAuthorization)).toEqual([false, true]);
});

it('the servers of a domain are tried in the order of its SRV records, and their URI keeps the domain', async () => {
  const first = await openServer('127.0.0.2', 503);
  const second = await openServer('127.0.0.3', 486);
  const dns = await DnsServer.open();
  onTestFinished(() => dns.close());
  const srv = (priority: number, { port }: { port: number }, target: string) =>
    ({ type: 'SRV', priority, weight: 0, port, target }) as const;
  dns.records.set('_sip._udp.carrier.test', [
    srv(20, second, 'b.carrier.test'),
    srv(10, first, 'a.carrier.test'),
  ]);
  dns.records.set('a.carrier.test', [{ type: 'A', address: '127.0.0.2' }]);
  dns.records.set('b.carrier.test', [{ type: 'A', address: '127.0.0.3' }]);
  const { dial } = await setup({ nameServers: [dns.address] });
  const events = dial({ host: 'carrier.test', port: null });
  await events.next('ended');
  const uris = [...first.invites, ...second.invites].map(({ uri }) => uri);
  expect(uris).toEqual(['sip:+12025550101@carrier.test', 'sip:+12025550101@carrier.test']);
});

it('a server at an address that the trunk must not use is left out, also after a refusal', async () => {
  const first = await openServer('127.0.0.2', 503);
  const { endpoint } = await setup({ allowPrivateTrunks: 'loopback' });
  const trunk = { ...at(first), transport: 'udp', otherHosts: [{ host: '10.0.0.1', port: 5060 }] } as const;
  expect(await endpoint.findTrunk(trunk)).toMatchObject([{ address: '127.0.0.2' }]);
  await expect(endpoint.findTrunk({ ...trunk, host: '10.0.0.2' })).rejects.toThrow('not allowed');
});
