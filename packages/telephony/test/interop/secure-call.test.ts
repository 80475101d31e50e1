/**
 * Calls over TLS with SRTP: against baresip, with audio in both directions, and against our own endpoint, with wrong certificates
 * and offers that do not fit.
 */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tone, tonePurity } from '@parley/audio';
import { StreamFramer } from '@parley/sip';
import { Baresip, isInstalled, makeCertificate, type TestCertificate } from '@parley/testkit';
import type { AnswerSettings, CallLeg } from '../../src/call-leg.ts';
import { REGISTRAR_USER, RegistrarSimulator } from '../registrar/registrar-simulator.ts';
import { TestEndpoint } from './test-endpoint.ts';

const hasBaresip = isInstalled('baresip');
const hasOpenssl = isInstalled('openssl');
const HOST = '127.0.0.1';
const [THEIR_TONE_HZ, OUR_TONE_HZ] = [440, 1000];
const LISTEN_SAMPLES = 4000;
const SECURE = { host: HOST, transport: 'tls', encryption: 'required' } as const;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-tls-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An endpoint with a certificate for its address, which trusts `caFile`. Calls to it are answered with `answer`. */
async function openEndpoint(options: {
  name: string;
  folder: string;
  caFile?: string;
  answer?: AnswerSettings;
}) {
  const { name, folder, answer = { encryption: 'required' }, caFile } = options;
  const own = await makeCertificate(folder, name, HOST);
  const wire: string[] = [];
  const answered = Promise.withResolvers<CallLeg>();
  const testEndpoint = await TestEndpoint.open(
    (leg) => {
      leg.ring();
      leg.answer(answer).then(() => answered.resolve(leg), answered.reject);
    },
    (_direction, bytes, { transport }) => wire.push(`${transport} ${Buffer.from(bytes).toString()}`),
    { tls: { port: 0, certFile: own.certFile, keyFile: own.keyFile, caFile: caFile ?? own.certFile } },
  );
  closers.push(() => testEndpoint.close());
  return {
    testEndpoint,
    own,
    wire,
    answered: answered.promise,
    port: testEndpoint.endpoint.address().tlsPort,
  };
}

async function withBaresip() {
  const folder = await newFolder();
  const theirs = await makeCertificate(folder, 'baresip', HOST);
  const ours = await openEndpoint({ name: 'endpoint', folder, caFile: theirs.certFile });
  const sound = tone({ hz: THEIR_TONE_HZ, sampleRateHz: 8000, samples: 160_000 });
  const security = { certificateFile: theirs.bothFile, caFile: ours.own.certFile };
  const baresip = await Baresip.start(ours.testEndpoint, sound, security);
  // baresip listens for TLS on the port after its SIP port.
  return { ...ours, baresip, trunk: { ...SECURE, port: baresip.port + 1 } };
}

/** Two lines of ours; the second one takes the calls. */
async function twoLines(options: { trusts?: boolean; answer?: AnswerSettings } = {}) {
  const folder = await newFolder();
  const callee = await openEndpoint({
    name: 'callee',
    folder,
    ...(options.answer ? { answer: options.answer } : {}),
  });
  const caFile = options.trusts === false ? undefined : callee.own.certFile;
  const caller = await openEndpoint({ name: 'caller', folder, ...(caFile ? { caFile } : {}) });
  return { caller, callee, trunk: { ...SECURE, port: callee.port } };
}

async function hear(leg: CallLeg): Promise<Int16Array> {
  leg.media.play(1, tone({ hz: OUR_TONE_HZ, sampleRateHz: 8000, samples: 40_000 }));
  const heard: number[] = [];
  return new Promise((resolve) => {
    leg.media.onTick((tick) => {
      heard.push(...tick.received);
      if (heard.length >= 2 * LISTEN_SAMPLES) resolve(Int16Array.from(heard.slice(LISTEN_SAMPLES)));
    });
  });
}

async function expectBothTones(leg: CallLeg, baresip: Baresip, hangUp: () => unknown): Promise<void> {
  await vi.waitFor(
    async () => {
      const heard = await hear(leg);
      expect(tonePurity(heard.subarray(0, LISTEN_SAMPLES), THEIR_TONE_HZ, 8000)).toBeGreaterThan(0.95);
    },
    { timeout: 30_000, interval: 100 },
  );
  await hangUp();
  await vi.waitFor(
    async () => {
      const theirs = await baresip.heard();
      const from = Math.floor(theirs.length / 2) - LISTEN_SAMPLES / 2;
      const middle = theirs.slice(from, from + LISTEN_SAMPLES);
      expect(tonePurity(middle, OUR_TONE_HZ, 8000)).toBeGreaterThan(0.95);
    },
    { timeout: 30_000, interval: 100 },
  );
}

describe.skipIf(!hasBaresip || !hasOpenssl)('over TLS with SRTP, against baresip', () => {
  it('we call, both hear each other, and baresip hangs up', async () => {
    const { testEndpoint, baresip, trunk, wire } = await withBaresip();
    const { leg, events } = testEndpoint.dial(trunk, { to: 'phone' });
    await events.next('answered');
    await expectBothTones(leg, baresip, () => baresip.hangUp());
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(wire.every((message) => message.startsWith('tls '))).toBe(true);
    expect(wire[0]).toMatch(/Via: SIP\/2\.0\/TLS [^\r]*\r\n/);
    expect(wire[0]).toMatch(/Contact: <sip:127\.0\.0\.1:\d+;transport=tls>/);
    expect(wire[0]).toContain('RTP/SAVP');
  });

  it('it holds and resumes twice, and both hear each other again', async () => {
    const { testEndpoint, baresip, trunk } = await withBaresip();
    const { leg, events } = testEndpoint.dial(trunk, { to: 'phone' });
    await events.next('answered');
    const holds = (): boolean[] =>
      events.all.flatMap((event) => (event.type === 'held' ? [event.isHeld] : []));
    const changes = [true, false, true, false];
    for (let count = 1; count <= changes.length; count++) {
      // It names a recording after its second, and begins another one when it holds.
      if (changes[count - 1]) await hear(leg).then(() => baresip.hold());
      else baresip.resume();
      await expect.poll(holds).toEqual(changes.slice(0, count));
    }
    await expectBothTones(leg, baresip, () => leg.hangUp());
  });

  it('it calls, both hear each other, and we hang up', async () => {
    const { testEndpoint, baresip, answered, port } = await withBaresip();
    // Its account adds the transport.
    baresip.dial(`sip:+12025550101@${HOST}:${port}`);
    const leg = await answered;
    await expectBothTones(leg, baresip, () => leg.hangUp());
    expect(await testEndpoint.received[0]?.events.end()).toMatchObject({ cause: 'local-hang-up' });
  });
});

describe.skipIf(!hasOpenssl)('over TLS', () => {
  it('a certificate that is not trusted ends the call before anything is sent', async () => {
    const { caller, callee, trunk } = await twoLines({ trusts: false });
    const { events } = caller.testEndpoint.dial(trunk);
    expect(await events.end()).toMatchObject({ cause: 'unreachable' });
    expect(callee.wire).toEqual([]);
  });

  it('a certificate for another name does so too, even for the same address', async () => {
    const { caller, callee, trunk } = await twoLines();
    const { events } = caller.testEndpoint.dial({ ...trunk, host: 'localhost' });
    expect(await events.end()).toMatchObject({ cause: 'unreachable' });
    expect(callee.wire).toEqual([]);
  });

  it('a trunk without verification accepts both', async () => {
    const { caller, trunk } = await twoLines({ trusts: false });
    const { leg, events } = caller.testEndpoint.dial({ ...trunk, host: 'localhost', isTlsVerified: false });
    await events.next('answered');
    await leg.hangUp();
  });

  it('the BYE for a call of another process goes to the verified peer', async () => {
    const { caller, callee, trunk } = await twoLines();
    const { events } = caller.testEndpoint.dial(trunk);
    const { dialog } = await events.next('answered');
    expect(dialog).toMatchObject({
      transport: 'tls',
      destination: { tls: { serverName: HOST, isVerified: true } },
    });
    if (dialog) await caller.testEndpoint.endpoint.endStoredDialog(dialog);
    expect(await callee.testEndpoint.received[0]?.events.end()).toMatchObject({ cause: 'remote-hang-up' });
  });
});

describe.skipIf(!hasOpenssl)('a registration over TLS', () => {
  it('names its transport in the Contact, and goes to a verified registrar only', async () => {
    const folder = await newFolder();
    const theirs = await makeCertificate(folder, 'registrar', HOST);
    const { testEndpoint } = await openEndpoint({ name: 'endpoint', folder, caFile: theirs.certFile });
    const { simulator, port } = await openRegistrar(theirs);
    const register = (host: string) =>
      testEndpoint.endpoint.register({
        registrar: { host, port, transport: 'tls' },
        username: REGISTRAR_USER,
        password: 'secret',
        domain: HOST,
      });
    const refused = register('localhost');
    await vi.waitFor(() => expect(refused.status.state).toBe('failed'), { timeout: 10_000 });
    expect(simulator.exchanges).toEqual([]);
    const granted = register(HOST);
    await vi.waitFor(() => expect(granted.status.state).toBe('registered'), { timeout: 10_000 });
    const { tlsPort } = testEndpoint.endpoint.address();
    expect(simulator.contacts()).toEqual([`sip:${REGISTRAR_USER}@${HOST}:${tlsPort};transport=tls`]);
    expect(simulator.problems).toEqual([]);
  });
});

/** The registrar simulator behind TLS. */
async function openRegistrar({ certFile, keyFile }: TestCertificate) {
  const server = createServer({ cert: await readFile(certFile), key: await readFile(keyFile) });
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const simulator = new RegistrarSimulator({ nowMs: () => performance.now(), uri: `sip:${HOST}:${port}` });
  const sockets = new Set<TLSSocket>();
  server.on('secureConnection', (socket) => {
    const framer = new StreamFramer();
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      for (const frame of framer.push(chunk))
        if (frame.type === 'message') socket.write(simulator.receive(frame.bytes) ?? '');
    });
  });
  server.on('tlsClientError', () => undefined);
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { simulator, port };
}

describe.skipIf(!hasOpenssl)('an offer that does not fit is refused with 488', () => {
  it.each([
    ['plain audio where encryption is required', 'none', 'required'],
    ['encrypted audio where it is not set up', 'required', 'none'],
  ] as const)('%s', async (_sentence, offered, wanted) => {
    const { caller, trunk } = await twoLines({ answer: { encryption: wanted } });
    const { events } = caller.testEndpoint.dial({ ...trunk, encryption: offered });
    expect(await events.end()).toMatchObject({ cause: 'rejected', sipStatus: 488 });
  });

  it('keys that did not come over TLS', async () => {
    const { caller, callee } = await twoLines();
    const { port } = callee.testEndpoint.endpoint.address();
    const { events } = caller.testEndpoint.dial({ ...SECURE, port, transport: 'tcp' });
    expect(await events.end()).toMatchObject({ cause: 'rejected', sipStatus: 488 });
  });
});
