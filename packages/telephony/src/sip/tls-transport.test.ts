/** Real connections on loopback, with certificates that the test makes; only the clock of the limits is moved by hand. */
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ManualClock, silentLog, systemClock } from '@parley/runtime';
import type { Destination, TransportFault } from '@parley/sip';
import { captureLog, isInstalled, makeCertificate } from '@parley/testkit';
import { SilentMediaFactory } from '../../test/silent-media.ts';
import { createSipEndpoint } from './sip-endpoint.ts';
import { RELOAD_MS } from './tls-settings.ts';
import { TlsTransport } from './tls-transport.ts';

const HOST = '127.0.0.1';
const MAX_CONNECTIONS_PER_HOST = 50;
/** The default of one second is too short on a busy machine. */
const WAITING = { timeout: 30_000 };
const MESSAGE = 'OPTIONS sip:a SIP/2.0\r\nContent-Length: 0\r\n\r\n';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function setup() {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-tls-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const files = await makeCertificate(folder, 'first', HOST);
  const clock = new ManualClock();
  const { log, lines } = captureLog();
  const received: { text: string; source: Destination }[] = [];
  const transport = new TlsTransport({
    host: HOST,
    port: 0,
    clock,
    log,
    files: { certFile: files.certFile, keyFile: files.keyFile, caFile: files.certFile },
    onMessage: (bytes, source) => received.push({ text: Buffer.from(bytes).toString(), source }),
    onFault: () => undefined,
  });
  const port = await transport.open();
  closers.push(() => transport.close());
  return { folder, files, clock, log, lines, received, transport, port };
}

async function client(port: number): Promise<TLSSocket> {
  const socket = connect({ host: HOST, port, rejectUnauthorized: false });
  closers.push(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

const to = (port: number, tls?: Destination['tls']): Destination => ({
  transport: 'tls',
  host: HOST,
  port,
  connectionId: null,
  ...(tls ? { tls } : {}),
});
/** The end of a test closes the connections of messages that were sent. */
const mustBeSent = (fault: TransportFault): void => {
  if (fault === 'unsent') expect.unreachable();
};

describe.skipIf(!isInstalled('openssl'))('SIP over TLS', () => {
  it('answers over the connection of the request', async () => {
    const { transport, port, received } = await setup();
    const socket = await client(port);
    socket.write(MESSAGE);
    await vi.waitFor(() => expect(received).toHaveLength(1), WAITING);
    const source = received[0]?.source;
    expect(source).toMatchObject({ transport: 'tls', host: HOST, port: socket.localPort });
    if (source) transport.send(Buffer.from('answer'), source, mustBeSent);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toBe('answer');
  });

  it('answers a request whose body is too large with 413, and then ends the connection', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-tls-'));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    const { certFile, keyFile } = await makeCertificate(folder, 'endpoint', HOST);
    const endpoint = createSipEndpoint({
      clock: systemClock,
      log: silentLog,
      listen: { host: HOST, port: 0 },
      tls: { port: 0, certFile, keyFile },
      userAgent: 'Test',
      media: new SilentMediaFactory(),
    });
    await endpoint.start();
    closers.push(() => endpoint.stop());
    const socket = await client(endpoint.address().tlsPort);
    socket.write(
      [
        'OPTIONS sip:a@127.0.0.1 SIP/2.0',
        'Via: SIP/2.0/TLS 127.0.0.1;branch=z9hG4bK-large',
        'From: <sip:b@127.0.0.1>;tag=b',
        'To: <sip:a@127.0.0.1>',
        'Call-ID: large',
        'CSeq: 1 OPTIONS',
        'Content-Length: 70000',
        '',
        '',
      ].join('\r\n'),
    );
    expect(await textOf(socket)).toMatch(
      /^SIP\/2\.0 413 Request Entity Too Large: the body is too large\r\n/,
    );
  });

  it('reuses a connection that is verified for the name, and opens another one for another name', async () => {
    const { transport, port, received } = await setup();
    const named = { serverName: HOST, isVerified: true };
    transport.send(Buffer.from(MESSAGE), to(port, named), mustBeSent);
    transport.send(Buffer.from(MESSAGE), to(port, named), mustBeSent);
    await vi.waitFor(() => expect(received).toHaveLength(2), WAITING);
    expect(new Set(received.map(({ source }) => source.port)).size).toBe(1);
    const failed = Promise.withResolvers<TransportFault>();
    transport.send(
      Buffer.from(MESSAGE),
      to(port, { serverName: 'other.test', isVerified: true }),
      failed.resolve,
    );
    await failed.promise;
    transport.send(
      Buffer.from(MESSAGE),
      to(port, { serverName: 'other.test', isVerified: false }),
      mustBeSent,
    );
    await vi.waitFor(() => expect(received).toHaveLength(3), WAITING);
    expect(new Set(received.map(({ source }) => source.port)).size).toBe(2);
  });

  it('says in the log why a certificate was refused', async () => {
    const { transport, port, lines } = await setup();
    const failed = Promise.withResolvers<TransportFault>();
    transport.send(
      Buffer.from(MESSAGE),
      to(port, { serverName: 'other.test', isVerified: true }),
      failed.resolve,
    );
    await failed.promise;
    expect(lines).toContainEqual(expect.objectContaining({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }));
  });

  it('limits the connections of one host before their handshakes', async () => {
    const { port } = await setup();
    const silent = Array.from({ length: MAX_CONNECTIONS_PER_HOST }, () => connectTcp({ host: HOST, port }));
    closers.push(() => silent.forEach((socket) => socket.destroy()));
    for (const socket of silent) socket.on('error', () => undefined);
    await Promise.all(silent.map(async (socket) => socket.connecting && once(socket, 'connect')));
    const refused = connectTcp({ host: HOST, port });
    refused.on('error', () => undefined);
    await once(refused, 'close');
    silent[0]?.destroy();
    await vi.waitFor(async () => expect((await client(port)).destroyed).toBe(false), WAITING);
  });

  it('takes a renewed certificate without a restart, and keeps the old one while the new one is unusable', async () => {
    const { folder, files, clock, port, lines } = await setup();
    const subject = async (): Promise<string> => String((await client(port)).getPeerCertificate().subject.CN);
    expect(await subject()).toBe(HOST);
    const renewed = await makeCertificate(folder, 'second', 'renewed.test');
    await writeFile(files.certFile, 'half a file');
    clock.advance(RELOAD_MS);
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ level: 'warn' })), WAITING);
    expect(await subject()).toBe(HOST);
    await copyFile(renewed.certFile, files.certFile);
    await copyFile(renewed.keyFile, files.keyFile);
    await vi.waitFor(async () => {
      clock.advance(RELOAD_MS);
      expect(await subject()).toBe('renewed.test');
    }, WAITING);
  });

  it('does not start with files that do not belong together', async () => {
    const { folder, files, clock, log } = await setup();
    const other = await makeCertificate(folder, 'other', HOST);
    const broken = new TlsTransport({
      host: HOST,
      port: 0,
      clock,
      log,
      files: { certFile: files.certFile, keyFile: other.keyFile },
      onMessage: () => undefined,
      onFault: () => undefined,
    });
    await expect(broken.open()).rejects.toThrow(/key values mismatch/);
  });
});
