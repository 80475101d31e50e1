import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { makeCertificate, startMediaStreamAgent } from '@parley/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createAgentSockets } from './agent-sockets.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

async function startAgent(options: Parameters<typeof startMediaStreamAgent>[0] = {}) {
  const agent = await startMediaStreamAgent(options);
  undo.push(() => agent.close());
  return agent;
}

async function open(
  url: string,
  {
    allowed = 'loopback',
    isPublicOnly = false,
  }: { allowed?: 'none' | 'loopback'; isPublicOnly?: boolean } = {},
): Promise<WebSocket | { error: string }> {
  const socket = await createAgentSockets(allowed).open({ url, headers: { 'x-test': 'yes' }, isPublicOnly });
  undo.push(() => socket instanceof WebSocket && socket.terminate());
  return socket;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Sends `first` in one packet with the end of the handshake, and answers a message with `second`. */
async function startHastyAgent(): Promise<string> {
  const sockets = new WebSocketServer({ noServer: true });
  sockets.on('connection', (client) => {
    client.on('message', () => client.send('second'));
    client.send('first');
  });
  const server = createHttpServer().on('upgrade', (request, connection, head) => {
    connection.cork();
    sockets.handleUpgrade(request, connection, head, (client) => sockets.emit('connection', client));
    connection.uncork();
  });
  return `ws://127.0.0.1:${await listen(server)}`;
}

/** What arrives until the answer `second`, for a listener that comes after what had arrived with the handshake. */
async function messagesOf(socket: WebSocket): Promise<string[]> {
  await new Promise((resolve) => setImmediate(resolve));
  const messages: string[] = [];
  socket.on('message', (data: Buffer) => messages.push(data.toString()));
  socket.resume();
  socket.send('Go on');
  await expect.poll(() => messages).toContain('second');
  return messages;
}

describe('a connection to an agent', () => {
  it('has the given headers', async () => {
    const agent = await startAgent();
    expect(await open(agent.url)).toBeInstanceOf(WebSocket);
    await expect.poll(() => agent.sessions[0]?.headers).toMatchObject({ 'x-test': 'yes' });
  });

  it('loses no message that the agent sends at once', async () => {
    const url = await startHastyAgent();
    const unpaused = new WebSocket(url);
    undo.push(() => unpaused.terminate());
    await once(unpaused, 'open');
    expect(await messagesOf(unpaused)).toEqual(['second']);
    const socket = await open(url);
    if ('error' in socket) throw new Error(socket.error);
    expect(await messagesOf(socket)).toEqual(['first', 'second']);
  });

  it('is refused for an address that is not public, unless the operator allows it', async () => {
    const agent = await startAgent();
    const refused = { error: 'The address is not public, and this server does not allow others' };
    expect(await open(agent.url, { allowed: 'none' })).toEqual(refused);
    expect(await open(agent.url, { isPublicOnly: true })).toEqual(refused);
    expect(await open(agent.url.replace('127.0.0.1', 'localhost'), { allowed: 'none' })).toEqual(refused);
    expect(agent.sessions).toHaveLength(0);
  });

  it('tells the status of a refused handshake, and of what is no WebSocket server', async () => {
    const agent = await startAgent({ refuse: 403 });
    expect(await open(agent.url)).toEqual({ error: 'The agent answered the handshake with status 403' });
    const port = await listen(createTcpServer((socket) => socket.end('hello\r\n')));
    expect(await open(`ws://127.0.0.1:${port}`)).toHaveProperty('error');
    const closed = await startMediaStreamAgent();
    await closed.close();
    expect(await open(closed.url)).toEqual({ error: 'The connection was refused' });
  });

  it('verifies the certificate', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-agent-'));
    undo.push(() => rm(folder, { recursive: true }));
    const { keyFile, certFile } = await makeCertificate(folder, 'agent', 'localhost');
    const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')]);
    const server = createServer({ key, cert });
    const sockets = new WebSocketServer({ server });
    undo.push(() => sockets.close());
    const url = `wss://localhost:${await listen(server)}/`;
    expect(await open(url)).toEqual({ error: 'The request failed (DEPTH_ZERO_SELF_SIGNED_CERT)' });
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, cert]);
    undo.push(() => tls.setDefaultCACertificates(before));
    expect(await open(url)).toBeInstanceOf(WebSocket);
  });
});
