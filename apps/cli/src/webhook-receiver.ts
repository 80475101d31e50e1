/** Receives webhooks on this machine: verifies each signature, reports each delivery, and answers 200 to valid ones. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhookPayloads } from '@parley/contracts';
import { Webhook } from 'standardwebhooks';
import { texts } from './texts.ts';

/** A received delivery. */
export interface ReceivedDelivery {
  /** `webhook-id`, which is identical for all attempts of a delivery. */
  id: string;
  /** `unknown` without any secret to verify with. */
  signature: 'genuine' | 'wrong' | 'unknown';
  event: string;
  /** Parsed JSON, or null. */
  payload: Record<string, unknown> | null;
  /** False if the payload does not match the API document. */
  isAsDocumented: boolean;
}

/** A receiver that listens. */
export interface WebhookReceiver {
  url: string;
  stop(): Promise<void>;
}

/** The port, the accepted secrets and the callback. */
export interface WebhookReceiverOptions {
  /** 0: the system chooses. */
  port: number;
  /** Any of these may have signed: `whsec_...`. Asked for each delivery, because endpoints may be created meanwhile. */
  secrets(): Promise<readonly string[]>;
  onDelivery(delivery: ReceivedDelivery): void;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Listens on loopback only. */
export async function startWebhookReceiver(options: WebhookReceiverOptions): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    receive(options, request, response).catch(() => response.writeHead(400).end());
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function receive(
  options: WebhookReceiverOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, message: string): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
  };
  if (request.method !== 'POST') return answer(405, texts.receiver.post);
  const body = await readBody(request);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const delivery = describeDelivery(body, headers, await options.secrets());
  options.onDelivery(delivery);
  if (delivery.signature === 'wrong') return answer(401, texts.receiver.wrongSignature);
  answer(200, texts.receiver.received);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(texts.receiver.tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describeDelivery(
  body: string,
  headers: Record<string, string>,
  secrets: readonly string[],
): ReceivedDelivery {
  const payload = parseObject(body);
  const event = typeof payload?.['event'] === 'string' ? payload['event'] : 'unknown';
  const schema = Object.entries(webhookPayloads).find(([name]) => name === event)?.[1];
  return {
    id: headers['webhook-id'] ?? '',
    signature: judgeSignature(body, headers, secrets),
    event,
    payload,
    isAsDocumented: schema?.safeParse(payload).success ?? false,
  };
}

function judgeSignature(
  body: string,
  headers: Record<string, string>,
  secrets: readonly string[],
): ReceivedDelivery['signature'] {
  if (secrets.length === 0) return 'unknown';
  return secrets.some((secret) => isSignedWith(secret, body, headers)) ? 'genuine' : 'wrong';
}

function isSignedWith(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
