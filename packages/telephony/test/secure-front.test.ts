/** Calls over TLS through the front of a fleet, whose endpoints have no certificate. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { isInstalled, makeCertificate } from '@parley/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { farRequest, HOST, openEndpoint, reader, startFront } from './front-with-endpoint.ts';
import { LegEvents } from './leg-events.ts';

const SDP = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/SAVP 0',
  `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30, 1).toString('base64')}`,
  '',
].join('\r\n');
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A front with a certificate, and one endpoint behind it. */
async function setup() {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-front-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const { certFile, keyFile } = await makeCertificate(folder, 'front', HOST);
  const { front, ...endpoint } = await startFront(closers, { certFile, keyFile });
  return { certFile, port: front.tlsPort(), ...endpoint };
}

/** A caller that accepts no connections: requests reach it through its own connection only. */
async function dial(certFile: string, port: number) {
  const caller = await openEndpoint(closers, { tls: { port: 0, caFile: certFile } });
  const leg = caller.dial({
    from: '+12025550100',
    to: '+12025550101',
    sipCallId: 'secure@test',
    trunk: { host: HOST, port, transport: 'tls', encryption: 'required' },
    ringTimeoutMs: 5000,
  });
  return { leg, events: new LegEvents(leg) };
}

async function openPeer(port: number) {
  const socket = connect({ host: HOST, port, rejectUnauthorized: false });
  closers.push(() => socket.destroy());
  await once(socket, 'secureConnect');
  return { socket, until: reader(socket) };
}

describe.skipIf(!isInstalled('openssl'))('a call over TLS through a front', () => {
  it.each(['the caller', 'the endpoint'])(
    'is answered with encrypted audio, and ended by %s',
    async (who) => {
      const { certFile, port, taken } = await setup();
      const caller = await dial(certFile, port);
      await caller.events.next('answered');
      const callee = await taken;
      await (who === 'the caller' ? caller.leg : callee.leg).hangUp();
      const other = who === 'the caller' ? callee : caller;
      expect(await other.events.end()).toMatchObject({ cause: 'remote-hang-up' });
    },
  );

  it('ends without its far end when the connection is closed, and no other connection is opened', async () => {
    const { port, taken } = await setup();
    const peer = await openPeer(port);
    peer.socket.write(farRequest('INVITE', { transport: 'tls', body: SDP }));
    const [, toTag = ''] = await peer.until(/^SIP\/2\.0 200 [^]*?^To: <[^>]*>(;tag=\S+)/m);
    peer.socket.write(farRequest('ACK', { transport: 'tls', toTag }));
    const { leg, events } = await taken;
    peer.socket.destroy();
    await once(peer.socket, 'close');
    await leg.hangUp();
    expect(await events.end()).toMatchObject({ cause: 'local-hang-up' });
  });

  it('receives responses for its endpoints only, so that it sends nothing to others', async () => {
    const { port, address } = await setup();
    const peer = await openPeer(port);
    const via = `Via: SIP/2.0/TLS ${HOST}:${port};branch=z9hG4bK-1`;
    const forged = (host: string, other: number): string =>
      [
        'SIP/2.0 200 OK',
        via,
        `Via: SIP/2.0/UDP ${host}:${other};branch=z9hG4bK-2`,
        'From: <sip:a@b>;tag=1',
        'To: <sip:a@b>;tag=2',
        'Call-ID: forged@test',
        'CSeq: 1 BYE',
        'Content-Length: 0',
        '',
        '',
      ].join('\r\n');
    const target = createSocket('udp4').bind(0, HOST);
    closers.push(() => target.close());
    await once(target, 'listening');
    const received: string[] = [];
    target.on('message', (bytes) => received.push(bytes.toString()));
    peer.socket.write(forged(HOST, target.address().port));
    peer.socket.write(forged(address.host, address.port));
    peer.socket.write(farRequest('OPTIONS', { transport: 'tls' }));
    await peer.until(/^SIP\/2\.0 200 /m);
    expect(received).toEqual([]);
  });
});
