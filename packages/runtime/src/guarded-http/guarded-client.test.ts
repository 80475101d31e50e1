import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { startWebhookReceiver, type WebhookReceiver } from '@parley/testkit';
import { ManualClock, systemClock } from '../clock.ts';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createGuardedClient,
  publicOnly,
  type GuardedClient,
  type GuardedClientOptions,
} from './guarded-client.ts';

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

interface Setup {
  client: GuardedClient;
  receiver: WebhookReceiver;
  webhook: { url: string; headers: Record<string, string>; body: string };
}

async function setup(options: Partial<GuardedClientOptions> = {}): Promise<Setup> {
  const receiver = await startWebhookReceiver();
  const client = createGuardedClient({ clock: systemClock, allowPrivate: 'loopback', ...options });
  undo.push(
    () => client.close(),
    () => receiver.close(),
  );
  const webhook = {
    url: receiver.url,
    headers: { 'webhook-id': 'one', 'content-type': 'application/json' },
    body: '{}',
  };
  return { client, receiver, webhook };
}

describe('a webhook', () => {
  test('is posted with its headers, and the answer is reported', async () => {
    const { client, receiver, webhook } = await setup();
    receiver.answerNext({ status: 201, headers: { 'x-answer': 'yes' }, body: 'thanks' });
    const outcome = await client.send(webhook);
    expect(outcome).toMatchObject({ status: 201, headers: { 'x-answer': 'yes' }, body: 'thanks' });
    expect(receiver.requests).toMatchObject([
      { method: 'POST', body: '{}', headers: { 'webhook-id': 'one' } },
    ]);
  });

  test('leaves no timer once it was answered', async () => {
    const clock = new ManualClock();
    const { client, webhook } = await setup({ clock });
    await client.send(webhook);
    expect(clock.pendingTimers()).toBe(0);
  });

  test('is given up when the receiver sends interim responses without end', async () => {
    const { client, webhook } = await setup();
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
    const answerWith = async (head: string) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.write(head));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      undo.push(async () => void server.close());
      const { port } = server.address() as AddressInfo;
      return client.send({ ...webhook, url: `http://127.0.0.1:${port}/` });
    };
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
    expect(await answerWith(early.repeat(3) + answer)).toMatchObject({ status: 200, body: 'ok' });
    expect(await answerWith(early.repeat(1000) + answer)).toEqual({
      error: 'The server sent too many responses before its answer',
    });
  });

  test('does not follow a redirect', async () => {
    const { client, receiver, webhook } = await setup();
    receiver.answerNext({ status: 307, headers: { location: receiver.url } });
    expect(await client.send(webhook)).toMatchObject({ status: 307 });
    expect(receiver.requests).toHaveLength(1);
  });

  test('ends when no response arrives within ten seconds', async () => {
    const clock = new ManualClock();
    const { client, receiver, webhook } = await setup({ clock });
    receiver.answerNext({ behaviour: 'hang' });
    const outcome = client.send(webhook);
    await receiver.request(1);
    clock.advance(10_000);
    expect(await outcome).toEqual({ error: 'No answer came in time' });
    expect(clock.pendingTimers()).toBe(0);
  });

  test('ends at the time limit of the request, if it has one', async () => {
    const clock = new ManualClock();
    const { client, receiver, webhook } = await setup({ clock });
    receiver.answerNext({ behaviour: 'hang' });
    let isOver = false;
    const outcome = client.send({ ...webhook, timeLimitMs: 20_000 }).finally(() => {
      isOver = true;
    });
    await receiver.request(1);
    clock.advance(19_999);
    await receiver.request(1);
    expect(isOver).toBe(false);
    clock.advance(1);
    expect(await outcome).toEqual({ error: 'No answer came in time' });
  });

  test('ends when its signal is aborted', async () => {
    const { client, receiver, webhook } = await setup();
    receiver.answerNext({ behaviour: 'hang' });
    const unwanted = new AbortController();
    const outcome = client.send({ ...webhook, signal: unwanted.signal });
    await receiver.request(1);
    unwanted.abort();
    expect(await outcome).toEqual({ error: 'The request was given up' });
  });

  test('counts as answered when the status came and only the body never ends', async () => {
    const { client, receiver, webhook } = await setup({ timeLimitMs: 1_500 });
    receiver.answerNext({ behaviour: 'drip' });
    expect(await client.send(webhook)).toMatchObject({
      status: 200,
      body: expect.stringMatching(/^x+$/) as string,
    });
  });

  test('keeps 64 KiB of a longer answer', async () => {
    const { client, receiver, webhook } = await setup();
    receiver.answerNext({ behaviour: 'flood', bytes: 50_000_000 });
    const outcome = await client.send(webhook);
    expect('body' in outcome && outcome.body.length).toBe(65_536);
  });

  test('keeps the beginning of an answer whose first part exceeds the limit', async () => {
    const { client, receiver, webhook } = await setup({ bodyLimitBytes: 1_000 });
    receiver.answerNext({ behaviour: 'flood', bytes: 50_000_000 });
    const outcome = await client.send(webhook);
    expect('body' in outcome && outcome.body.length).toBe(1_000);
  });

  test('does not wait for more than its limit, however long the answer goes on', async () => {
    const { client, receiver, webhook } = await setup({ clock: new ManualClock(), bodyLimitBytes: 2 });
    receiver.answerNext({ behaviour: 'drip' });
    expect(await client.send(webhook)).toMatchObject({ status: 200, body: 'xx' });
  });

  test('reports a broken connection', async () => {
    const { client, receiver, webhook } = await setup();
    receiver.answerNext({ behaviour: 'disconnect' });
    expect(await client.send(webhook)).toEqual({ error: 'The connection was closed before an answer came' });
  });

  test('reports a refused connection', async () => {
    const { client, receiver, webhook } = await setup();
    await receiver.close();
    expect(await client.send(webhook)).toEqual({ error: 'The connection was refused', isUnsent: true });
  });

  test('reports a host name that does not resolve', async () => {
    const { client, webhook } = await setup();
    // An empty label is not a name (RFC 1035 section 2.3.1), so that no name server is asked.
    const outcome = await client.send({ ...webhook, url: 'http://a..b/' });
    expect(outcome).toEqual({ error: 'The host name cannot be resolved', isUnsent: true });
  });

  test('reports an invalid address as a failed request', async () => {
    const { client, webhook } = await setup();
    const outcome = await client.send({ ...webhook, url: 'ftp://example.com/' });
    expect(outcome).toEqual({ error: 'The request failed (UND_ERR_INVALID_ARG)' });
  });

  test('is not sent by a client that was closed', async () => {
    const { client, receiver, webhook } = await setup();
    await client.close();
    expect(await client.send(webhook)).toEqual({ error: 'The request failed (UND_ERR_DESTROYED)' });
    expect(receiver.requests).toEqual([]);
  });
});

describe('an address that is not public', () => {
  test.each([
    ['127.0.0.1'],
    ['localhost'],
    ['2130706433'],
    ['0x7f.1'],
    ['0177.0.0.1'],
    ['[::1]'],
    ['[::ffff:127.0.0.1]'],
    ['[::ffff:7f00:1]'],
    ['0.0.0.0'],
    ['127.0.0.1.'],
  ])('written as %s gets nothing', async (host) => {
    const { client, receiver, webhook } = await setup({ allowPrivate: 'none' });
    const url = receiver.url.replace('127.0.0.1', host);
    const outcome = await client.send({ ...webhook, url });
    expect(outcome).toEqual({
      error: 'The address is not public, and this server does not allow others',
      isUnsent: true,
    });
    expect(receiver.requests).toHaveLength(0);
  });

  test('of another network is refused although loopback is allowed', async () => {
    const { client, webhook } = await setup({ allowPrivate: 'loopback' });
    const outcome = await client.send({ ...webhook, url: 'http://169.254.169.254/latest/meta-data' });
    expect(outcome).toEqual({
      error: 'The address is not public, and this server does not allow others',
      isUnsent: true,
    });
  });

  test('that the client allows is refused for a request that may go to public addresses only', async () => {
    const { client, receiver, webhook } = await setup({ allowPrivate: 'loopback' });
    const refused = {
      error: 'The address is not public, and this server does not allow others',
      isUnsent: true,
    };
    expect(await client.send(webhook)).toHaveProperty('status');
    // A connection to the same address is kept alive by now.
    expect(await client.send({ ...webhook, isPublicOnly: true })).toEqual(refused);
    expect(await publicOnly(client).send(webhook)).toEqual(refused);
    expect(receiver.requests).toHaveLength(1);
  });

  test('is refused over TLS too', async () => {
    const { client, webhook } = await setup({ allowPrivate: 'none' });
    const outcome = await client.send({ ...webhook, url: webhook.url.replace('http:', 'https:') });
    expect(outcome).toEqual({
      error: 'The address is not public, and this server does not allow others',
      isUnsent: true,
    });
  });
});
