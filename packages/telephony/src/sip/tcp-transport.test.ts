/** Real sockets on loopback; only the clock of the limits is moved by hand. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import type { Destination, TransportFault } from '@parley/sip';
import { TcpTransport } from './tcp-transport.ts';

const HOST = '127.0.0.1';
const IDLE_LIMIT_MS = 1_800_000;
const FIRST_MESSAGE_LIMIT_MS = 60_000;
const MAX_CONNECTIONS_PER_HOST = 50;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function setup() {
  const clock = new ManualClock();
  const received: { text: string; source: Destination }[] = [];
  let wake = (): void => undefined;
  const transport = new TcpTransport({
    host: HOST,
    port: 0,
    clock,
    onMessage: (bytes, source) => {
      received.push({ text: Buffer.from(bytes).toString(), source });
      wake();
    },
    onFault: () => undefined,
  });
  const port = await transport.open();
  closers.push(() => transport.close());
  const untilReceived = async (count: number): Promise<void> => {
    while (received.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { clock, transport, port, received, untilReceived };
}

/** A peer that accepts connections and collects what arrives on each. */
async function openPeer() {
  const sockets: Socket[] = [];
  const texts: string[] = [];
  let wake = (): void => undefined;
  const server = createServer((socket) => {
    const at = sockets.push(socket) - 1;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      texts[at] = (texts[at] ?? '') + chunk.toString();
      wake();
    });
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const untilText = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { sockets, texts, port, untilText };
}

const to = (port: number, connectionId: number | null = null): Destination => ({
  transport: 'tcp',
  host: HOST,
  port,
  connectionId,
});
const MESSAGE = 'OPTIONS sip:a SIP/2.0\r\nContent-Length: 0\r\n\r\n';
/** The end of a test closes the connections of messages that were sent. */
const mustBeSent = (fault: TransportFault): void => {
  if (fault === 'unsent') expect.unreachable();
};

describe('SIP over TCP', () => {
  it('sends several messages to one address over one connection', async () => {
    const { transport } = await setup();
    const peer = await openPeer();
    transport.send(Buffer.from('first,'), to(peer.port), mustBeSent);
    transport.send(Buffer.from('second'), to(peer.port), mustBeSent);
    await peer.untilText(() => peer.texts[0] === 'first,second');
    expect(peer.sockets).toHaveLength(1);
  });

  it('answers over the connection of the request, regardless of the destination', async () => {
    const { transport, port, received, untilReceived } = await setup();
    const client = connect({ host: HOST, port });
    closers.push(() => client.destroy());
    client.write(MESSAGE);
    await untilReceived(1);
    transport.send(Buffer.from('answer'), to(1, received[0]?.source.connectionId ?? null), mustBeSent);
    const [chunk] = (await once(client, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('answer');
  });

  it('opens a new connection after the peer has closed the old one', async () => {
    const { transport } = await setup();
    const peer = await openPeer();
    transport.send(Buffer.from('first'), to(peer.port), mustBeSent);
    await peer.untilText(() => peer.texts[0] === 'first');
    const [first] = peer.sockets;
    const closed = once(first ?? expect.unreachable(), 'close');
    first?.end();
    await closed;
    transport.send(Buffer.from('second'), to(peer.port), () => undefined);
    await peer.untilText(() => peer.texts[1] === 'second');
  });

  // RFC 3261 section 18.2.2.
  it('sends a response to the port of its Via once the connection of its request is closed', async () => {
    const { transport, port, received, untilReceived } = await setup();
    const client = connect({ host: HOST, port });
    client.write(MESSAGE);
    await untilReceived(1);
    const source = received[0]?.source ?? expect.unreachable();
    const peer = await openPeer();
    client.destroy();
    // A copy that meets the connection while it closes is lost.
    while (peer.texts.length === 0) {
      transport.send(Buffer.from('response'), { ...source, viaPort: peer.port }, () => undefined);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(peer.texts[0]).toMatch(/^response/);
  });

  it('reports every waiting message when a connection is refused', async () => {
    const { transport } = await setup();
    const peer = await openPeer();
    const { port } = peer;
    await closers.pop()?.();
    const failures = [Promise.withResolvers<TransportFault>(), Promise.withResolvers<TransportFault>()];
    for (const { resolve } of failures) transport.send(Buffer.from(MESSAGE), to(port), resolve);
    expect(await Promise.all(failures.map(({ promise }) => promise))).toEqual(['unsent', 'unsent']);
  });

  it('closes a connection that received nothing for half an hour', async () => {
    const { clock, port, untilReceived } = await setup();
    const client = connect({ host: HOST, port });
    closers.push(() => client.destroy());
    client.resume();
    const closed = once(client, 'close');
    client.write(MESSAGE);
    await untilReceived(1);
    clock.advance(IDLE_LIMIT_MS / 2);
    client.write(MESSAGE);
    await untilReceived(2);
    clock.advance(IDLE_LIMIT_MS - 1);
    client.write(MESSAGE);
    await untilReceived(3);
    clock.advance(IDLE_LIMIT_MS);
    await closed;
  });

  it('closes a connection on which no message arrives in the first minute, whatever else arrives', async () => {
    const { clock, port } = await setup();
    const client = connect({ host: HOST, port });
    closers.push(() => client.destroy());
    const closed = once(client, 'close');
    client.write('\r\n\r\n');
    await once(client, 'data');
    clock.advance(FIRST_MESSAGE_LIMIT_MS);
    await closed;
  });

  it('accepts a limited number of connections of one host, and another one once one of them has ended', async () => {
    const { port, received, untilReceived } = await setup();
    const open = async (): Promise<Socket> => {
      const client = connect({ host: HOST, port });
      client.on('error', () => undefined);
      closers.push(() => client.destroy());
      const count = received.length;
      client.write(MESSAGE);
      await Promise.race([untilReceived(count + 1), once(client, 'close')]);
      return client;
    };
    const clients: Socket[] = [];
    while (clients.length < MAX_CONNECTIONS_PER_HOST) clients.push(await open());
    expect(received).toHaveLength(MAX_CONNECTIONS_PER_HOST);
    await open();
    expect(received).toHaveLength(MAX_CONNECTIONS_PER_HOST);
    const ended = once(clients[0] ?? expect.unreachable(), 'close');
    clients[0]?.resume().end();
    await ended;
    while (received.length === MAX_CONNECTIONS_PER_HOST) await open();
  });

  describe('after a message without Content-Length', () => {
    const LAST = 'OPTIONS sip:a SIP/2.0\r\nTo: x\r\n\r\n';

    async function afterLast() {
      const all = await setup();
      const client = connect({ host: HOST, port: all.port, allowHalfOpen: true });
      closers.push(() => client.destroy());
      client.write(`${MESSAGE}${LAST}${MESSAGE}`);
      await all.untilReceived(2);
      return { ...all, client, source: all.received[1]?.source ?? expect.unreachable() };
    }

    it('ends the connection and hears nothing more of it', async () => {
      const { client, received } = await afterLast();
      client.resume();
      await once(client, 'end');
      client.write(MESSAGE);
      const closed = once(client, 'close');
      client.end();
      await closed;
      expect(received.map(({ text }) => text)).toEqual([MESSAGE, LAST]);
    });

    it('sends over another connection', async () => {
      const { transport, source } = await afterLast();
      const peer = await openPeer();
      transport.send(Buffer.from('response'), { ...source, viaPort: peer.port }, mustBeSent);
      await peer.untilText(() => peer.texts[0] === 'response');
    });

    it('closes a connection whose peer does not close its side within five seconds', async () => {
      const { client, clock } = await afterLast();
      client.resume();
      await once(client, 'end');
      const closed = new Promise((resolve) => client.on('error', () => undefined).on('close', resolve));
      clock.advance(5_000);
      // The peer learns it by a reset, when it writes.
      const writes = setInterval(() => client.write(MESSAGE), 10);
      await closed;
      clearInterval(writes);
    });
  });

  it('fails to send after it was closed', async () => {
    const { transport } = await setup();
    await transport.close();
    const failed = Promise.withResolvers<TransportFault>();
    transport.send(Buffer.from(MESSAGE), to(9), failed.resolve);
    await failed.promise;
  });
});
