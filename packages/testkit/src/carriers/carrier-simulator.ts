/**
 * A simulated carrier: an HTTP server on loopback that answers as Twilio's or Telnyx's REST API. It is as strict as their
 * documentation: wrong credentials, content types, unknown parameters and missing ones are refused with their error bodies.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CarrierWorld } from './carrier-world.ts';

/** A request as the rules of a carrier see it. */
export interface SimulatedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: string;
}

/** An answer of a carrier. */
export interface SimulatedAnswer {
  status: number;
  body: unknown;
}

/** What a carrier answers to a request that no fault prevents. */
export type CarrierRules = (world: CarrierWorld, request: SimulatedRequest) => SimulatedAnswer;

/** A running simulator. */
export interface CarrierSimulator {
  /** Without a slash at its end. */
  url: string;
  world: CarrierWorld;
  close: () => Promise<void>;
}

const RETRY_AFTER_SECONDS = '7';

/** @param rules - of Twilio or Telnyx @param errorBody - of answers to planted faults */
export async function startCarrierSimulator(
  rules: CarrierRules,
  errorBody: (status: number) => unknown,
): Promise<CarrierSimulator> {
  const world = new CarrierWorld();
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    const line = `${request.method} ${request.path}`;
    world.requests.push(line);
    const index = world.faults.findIndex(({ on }) => on.test(line));
    const [fault] = index === -1 ? [] : world.faults.splice(index, 1);
    if (fault?.how === 'refuse') return void response.destroy();
    if (fault?.how === 'rate-limit') {
      response.setHeader('retry-after', RETRY_AFTER_SECONDS);
      return send(response, { status: 429, body: errorBody(429) });
    }
    if (fault?.how === 'fail') return send(response, { status: 503, body: errorBody(503) });
    const answer = rules(world, request);
    if (fault) return void response.destroy();
    send(response, answer);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    world,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<SimulatedRequest> {
  const url = new URL(incoming.url ?? '/', 'http://carrier.test');
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: incoming.headers,
    body: await text(incoming),
  };
}

function send(response: ServerResponse, { status, body }: SimulatedAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
