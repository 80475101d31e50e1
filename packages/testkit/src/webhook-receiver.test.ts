import { afterEach, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

let receiver: WebhookReceiver | undefined;
afterEach(() => receiver?.close());

async function setup(): Promise<WebhookReceiver> {
  receiver = await startWebhookReceiver();
  return receiver;
}

function post(url: string, body: string, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { 'x-test': 'yes' }, signal });
}

test('a request is recorded and answered with 200', async () => {
  const { url, request } = await setup();
  const [response, received] = await Promise.all([post(url, 'hello'), request(1)]);
  expect(response.status).toBe(200);
  expect(received).toMatchObject({
    method: 'POST',
    path: '/hook',
    body: 'hello',
    headers: { 'x-test': 'yes' },
  });
});

test('programmed responses are sent in order, then the default again', async () => {
  const { url, answerNext } = await setup();
  answerNext({ status: 500 }, { status: 410, body: 'gone' });
  const statuses: number[] = [];
  for (const body of ['a', 'b', 'c']) statuses.push((await post(url, body)).status);
  expect(statuses).toEqual([500, 410, 200]);
});

test('a hanging response keeps the request open until the client disconnects', async () => {
  const { url, answerNext, request } = await setup();
  answerNext({ behaviour: 'hang' });
  const impatient = new AbortController();
  const answer = post(url, 'a', impatient.signal);
  await request(1);
  impatient.abort();
  await expect(answer).rejects.toThrow('abort');
});

test('a dripping response begins and does not end', async () => {
  const { url, answerNext } = await setup();
  answerNext({ behaviour: 'drip' });
  const response = await post(url, 'a');
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
});

test('a flood has the requested size', async () => {
  const { url, answerNext } = await setup();
  answerNext({ behaviour: 'flood', bytes: 1_048_576 });
  expect((await (await post(url, 'a')).arrayBuffer()).byteLength).toBe(1_048_576);
});

test('a disconnecting receiver sends no response', async () => {
  const { url, answerNext } = await setup();
  answerNext({ behaviour: 'disconnect' });
  await expect(post(url, 'a')).rejects.toThrow('fetch failed');
});
