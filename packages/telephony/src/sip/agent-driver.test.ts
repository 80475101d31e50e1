import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Socket as Stream } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog, systemClock } from '@parley/runtime';
import { MAX_MESSAGE_BYTES, type AgentAction, type Destination } from '@parley/sip';
import { SourceBans } from './source-bans.ts';
import { AgentDriver, throughNat, type DriverOptions } from './agent-driver.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function setup(options: Partial<DriverOptions> = {}) {
  const actions: AgentAction[] = [];
  const driver = new AgentDriver({
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    publicHost: '127.0.0.1',
    userAgent: 'Test',
    random: (byteCount) => Uint8Array.from({ length: byteCount }, () => Math.floor(Math.random() * 256)),
    onAction: (action) => actions.push(action),
    ...options,
  });
  await driver.open();
  closers.push(() => driver.close());
  return { driver, actions, ...driver.address };
}

const options = (branch: string, transport = 'UDP'): string =>
  [
    'OPTIONS sip:x@127.0.0.1 SIP/2.0',
    `Via: SIP/2.0/${transport} 127.0.0.1:1;branch=z9hG4bK${branch};rport`,
    'From: <sip:a@b>;tag=1',
    'To: <sip:x@127.0.0.1>',
    `Call-ID: ${branch}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');

async function udpClient(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closers.push(() => socket.close());
  return socket;
}

/** A TCP client that collects the received bytes. */
async function tcpClient(port: number) {
  const stream: Stream = connect({ host: '127.0.0.1', port });
  closers.push(() => stream.destroy());
  await once(stream, 'connect');
  let text = '';
  const waiting: (() => void)[] = [];
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    for (const check of waiting) check();
  });
  /** Resolves once `count` of `what` have arrived. */
  const received = (what: RegExp, count: number) =>
    new Promise<string>((resolve) => {
      const check = () => (text.match(what)?.length ?? 0) >= count && resolve(text);
      waiting.push(check);
      check();
    });
  return { stream, received };
}

/** A peer over TCP that resets its first connection once a message has arrived on it, and collects all messages by connection. */
async function resettingPeer() {
  const texts: string[] = [];
  const again = Promise.withResolvers<void>();
  const server = createServer((stream) => {
    const at = texts.push('') - 1;
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => {
      texts[at] += chunk.toString();
      if (at === 0) stream.resetAndDestroy();
      else again.resolve();
    });
    closers.push(() => stream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  const address = server.address();
  return { texts, again: again.promise, port: typeof address === 'object' && address ? address.port : 0 };
}

describe('a destination that a peer has named', () => {
  const to = (host: string, namedBy?: string): Destination => ({
    transport: 'tcp',
    host,
    port: 5060,
    connectionId: null,
    namedBy,
    namedByPort: 40_123,
  });

  it.each([
    ['127.0.0.1', '8.8.8.8'],
    ['169.254.169.254', '8.8.8.8'],
    ['::ffff:0:127.0.0.1', '8.8.8.8'],
    ['64:ff9b::7f00:1', '2606:4700::1111'],
  ])('that is private (%s) is never used: messages go to the source of the public peer %s', (host, peer) => {
    expect(throughNat(to(host, peer))).toEqual({ ...to(host, peer), host: peer, port: 40_123 });
  });

  it.each([
    ['9.9.9.9', '8.8.8.8'],
    ['10.0.0.2', '10.0.0.1'],
    ['127.0.0.1', undefined],
  ])('is allowed for %s by %s', (host, peer) => {
    expect(throughNat(to(host, peer))).toEqual(to(host, peer));
  });
});

describe('the driver over UDP', () => {
  it('answers after malformed datagrams', async () => {
    const { port } = await setup();
    const client = await udpClient();
    for (const garbage of ['', '\0', 'x'.repeat(60_000), '\r\n\r\n', 'INVITE sip:x SIP/2.0\r\n\r\n']) {
      client.send(garbage, port, '127.0.0.1');
    }
    client.send(options('one'), port, '127.0.0.1');
    const [answer] = (await once(client, 'message')) as [Buffer];
    expect(answer.toString()).toMatch(/^SIP\/2\.0 200 OK\r\n/);
  });

  it('bans a source after ten bad requests, and serves it again when it belongs to a trunk', async () => {
    const { port, driver } = await setup({ bans: new SourceBans(() => false) });
    const client = await udpClient();
    const ask = async (text: string): Promise<string> => {
      client.send(text, port, '127.0.0.1');
      const [answer] = (await once(client, 'message')) as [Buffer];
      return answer.toString();
    };
    const register = (n: number): string => options(`bad-${n}`).replaceAll('OPTIONS', 'REGISTER');
    for (let n = 0; n < 10; n++) expect(await ask(register(n))).toMatch(/^SIP\/2\.0 405 /);
    client.send(options('banned'), port, '127.0.0.1');
    await expect.poll(() => driver.bannedMessages).toBe(1);
    driver.trust('127.0.0.1');
    const answer = await ask(options('trusted'));
    expect(answer).toContain('branch=z9hG4bKtrusted');
    expect(answer).not.toMatch(/^Server:/m);
  });

  it('drops messages beyond the limit of one source', async () => {
    const { port, driver } = await setup({ rateLimit: { perSecond: 0.001, burst: 2 } });
    const client = await udpClient();
    const answers: string[] = [];
    const both = new Promise<void>((resolve) => {
      client.on('message', (bytes) => {
        answers.push(/Call-ID: (\S+)/.exec(bytes.toString())?.[1] ?? '');
        if (answers.length === 2) resolve();
      });
    });
    for (const branch of ['one', 'two', 'three', 'four']) client.send(options(branch), port, '127.0.0.1');
    await both;
    expect(answers).toEqual(['one', 'two']);
    expect(driver.agent.load().transactions).toBe(2);
  });

  it('reports a message that cannot be sent to the agent, which ends the call', async () => {
    const { driver, actions } = await setup();
    const ended = new Promise<void>((resolve) => {
      const look = () => (actions.some((action) => action.type === 'call') ? resolve() : setImmediate(look));
      look();
    });
    driver.run((agent, nowMs) =>
      agent.invite(
        {
          callId: 'x',
          from: { uri: 'sip:a@b' },
          toUri: 'sip:c@d',
          destination: { transport: 'udp', host: '::1', port: 5060, connectionId: null },
          media: { host: '127.0.0.1', port: 4000 },
        },
        nowMs,
      ),
    );
    await ended;
    expect(actions).toMatchObject([{ event: { type: 'ended', end: { by: 'transport' } } }]);
  });
});

describe('the driver over TCP', () => {
  it('answers on the same connection, however the bytes are chunked, and answers a ping', async () => {
    const { port } = await setup();
    const { stream, received } = await tcpClient(port);
    const text = `${options('one', 'TCP')}\r\n\r\n${options('two', 'TCP')}`;
    stream.write(text.slice(0, 100));
    stream.write(text.slice(100));
    const all = await received(/SIP\/2\.0 200 OK/g, 2);
    expect(all.match(/Call-ID: \w+/g)).toEqual(['Call-ID: one', 'Call-ID: two']);
    expect(all).toContain('\r\n\r\n\r\nSIP/2.0 200 OK');
  });

  it.each([
    ['a message without a length', 'OPTIONS sip:x SIP/2.0\r\nTo: x\r\n\r\n'],
    ['a message that is too large', 'x'.repeat(MAX_MESSAGE_BYTES + 1)],
  ])('closes a connection that sends %s, and serves the next one', async (_, text) => {
    const { port } = await setup();
    const bad = await tcpClient(port);
    bad.stream.on('error', () => {});
    bad.stream.write(text);
    await once(bad.stream, 'close');
    const good = await tcpClient(port);
    good.stream.write(options('fine', 'TCP'));
    expect(await good.received(/200 OK/g, 1)).toContain('Call-ID: fine');
  });

  it('sends a BYE once more over a new connection when the first one breaks, but no INVITE', async () => {
    const { driver } = await setup();
    const peer = await resettingPeer();
    const uri = `sip:peer@127.0.0.1:${peer.port};transport=tcp`;
    const destination = { host: '127.0.0.1', port: peer.port, transport: 'tcp', connectionId: null } as const;
    const media = { host: '127.0.0.1', port: 9, codecs: [] };
    driver.run((agent, nowMs) =>
      agent.invite(
        { toUri: uri, from: { uri: 'sip:us@127.0.0.1' }, callId: 'call', destination, media },
        nowMs,
      ),
    );
    const byeTo = (callId: string): void => {
      const dialog = {
        callId,
        localTag: 'us',
        remoteTag: 'peer',
        localUri: 'sip:us@127.0.0.1',
        remoteUri: uri,
      };
      const { host, port, transport } = destination;
      const rest = {
        remoteTarget: uri,
        routeSet: [],
        localSequence: 1,
        transport,
        destination: { host, port },
      };
      driver.run((agent, nowMs) => agent.sendBye({ ...dialog, ...rest }, nowMs));
    };
    byeTo('bye');
    await peer.again;
    expect(peer.texts[0]).toContain('INVITE sip:');
    expect(peer.texts[1]).toMatch(/^BYE sip:/);
    const branchOf = (text = '') => /BYE[^]*?branch=([^;]+)/.exec(text)?.[1];
    expect(branchOf(peer.texts[1])).toBe(branchOf(peer.texts[0]));
    expect(peer.texts.join('').match(/INVITE sip:/g)).toHaveLength(1);
  });

  it('closes every connection when it closes', async () => {
    const { port, driver } = await setup();
    const { stream } = await tcpClient(port);
    const closed = once(stream, 'close');
    await driver.close();
    await driver.close();
    await closed;
  });
});
