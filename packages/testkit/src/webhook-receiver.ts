/**
 * A webhook receiver: a real HTTP server on loopback that records its requests and sends the responses that a test
 * chooses, including faulty ones.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pause, systemClock } from '@parley/runtime';

export interface ReceivedWebhook {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The response to a request. The default is status 200 with `{"received":true}`. */
export type WebhookAnswer =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Accepts the request and never responds. */
  | { behaviour: 'hang' }
  /** Begins a 200 and then sends one byte every 50 ms, without end. */
  | { behaviour: 'drip' }
  /** A 200 with a body of this many bytes. */
  | { behaviour: 'flood'; bytes: number }
  /** Closes the connection instead of responding. */
  | { behaviour: 'disconnect' };

export interface WebhookReceiver {
  /** `http://127.0.0.1:port/hook` */
  url: string;
  requests: ReceivedWebhook[];
  /** The responses to the next requests; later ones receive the default again. */
  answerNext: (...answers: WebhookAnswer[]) => void;
  /** Resolves with the request of this number, counted from 1, once it has arrived. */
  request: (number: number) => Promise<ReceivedWebhook>;
  close: () => Promise<void>;
}

const DEFAULT_ANSWER: WebhookAnswer = { status: 200, body: '{"received":true}' };
const FLOOD_CHUNK = Buffer.alloc(16 * 1024, 'x');
const DRIP_INTERVAL_MS = 50;

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const requests: ReceivedWebhook[] = [];
  const answers: WebhookAnswer[] = [];
  const waiting = new Map<number, PromiseWithResolvers<ReceivedWebhook>>();
  const closing = new AbortController();

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request);
    requests.push(received);
    waiting.get(requests.length)?.resolve(received);
    answer(response, answers.shift() ?? DEFAULT_ANSWER, closing.signal);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    answerNext: (...next) => {
      answers.push(...next);
    },
    async request(number) {
      const known = requests[number - 1];
      if (known) return known;
      const waiter = waiting.get(number) ?? Promise.withResolvers<ReceivedWebhook>();
      waiting.set(number, waiter);
      return waiter.promise;
    },
    async close() {
      closing.abort();
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function receive(request: IncomingMessage): Promise<ReceivedWebhook> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  return { method: request.method ?? '', path: request.url ?? '', headers, body: await text(request) };
}

function answer(response: ServerResponse, how: WebhookAnswer, closing: AbortSignal): void {
  if ('status' in how) {
    response.writeHead(how.status, how.headers).end(how.body ?? '');
    return;
  }
  switch (how.behaviour) {
    case 'hang':
      return;
    case 'disconnect':
      response.destroy();
      return;
    case 'drip':
      Readable.from(drip(closing)).pipe(response);
      return;
    case 'flood':
      Readable.from(flood(how.bytes)).pipe(response);
      return;
  }
}

async function* drip(closing: AbortSignal): AsyncGenerator<Buffer> {
  while (!closing.aborted) {
    yield Buffer.from('x');
    await pause(systemClock, DRIP_INTERVAL_MS, closing);
  }
}

function* flood(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= FLOOD_CHUNK.length) yield FLOOD_CHUNK.subarray(0, left);
}
