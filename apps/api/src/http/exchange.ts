/**
 * What is known of a request while it is answered. Errors name its id; log and metrics watch its end. It also gathers the
 * head of the answer, because setting headers one by one on Node's response costs more than writing them all.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@parley/runtime';

/** One request and its answer. */
export interface Exchange {
  /** Also in the answer's `X-Request-Id`. */
  readonly requestId: string;
  readonly startedAtMs: number;
  /** The pattern of the contract's path that answers; null where another route of Express answers, or nobody. */
  route: string | null;
  userId: number | undefined;
  tokenId: number | null | undefined;
  /** Names and values in turns: what the answer's head says beside what its body asks for. */
  readonly headers: string[];
}

/** What is told of an exchange at its end. */
interface EndedExchange extends Pick<Exchange, 'requestId' | 'userId' | 'tokenId'> {
  method: string;
  /** The pattern, such as `/api/user/calls/:id`, because an address may hold secrets and ids; `none` where there was none. */
  route: string;
  status: number;
  durationMs: number;
  /** False when the other side left before the end of the answer. */
  isComplete: boolean;
}

/** Told of every exchange once, when its answer is through or its connection is gone. */
export type ExchangeObserver = (ended: EndedExchange) => void;

const EXCHANGE = Symbol('exchange');

type WithExchange = ServerResponse & { [EXCHANGE]?: Exchange };

/** @throws Error where no exchange was opened, which is a mistake of ours */
export function exchangeOf(response: ServerResponse): Exchange {
  const exchange = (response as WithExchange)[EXCHANGE];
  if (!exchange) throw new Error('This request was not opened as an exchange');
  return exchange;
}

/** Puts what was gathered on the response, for whoever writes the head in a way of his own. */
export function handOverHeaders(response: ServerResponse): void {
  const { headers } = exchangeOf(response);
  for (let at = 0; at < headers.length; at += 2)
    response.setHeader(headers[at] as string, headers[at + 1] as string);
  headers.length = 0;
}

/** @returns what opens an exchange; goes before everything else */
export function createExchanges(
  clock: Clock,
  observers: readonly ExchangeObserver[],
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const requestId = randomUUID();
    const exchange: Exchange = {
      requestId,
      startedAtMs: clock.monotonic(),
      route: null,
      userId: undefined,
      tokenId: undefined,
      headers: ['X-Request-Id', requestId],
    };
    (response as WithExchange)[EXCHANGE] = exchange;
    // Comes once for each response.
    response.on('close', () => {
      const ended = endOf(exchange, request, response, clock.monotonic());
      for (const observe of observers) observe(ended);
    });
  };
}

/** Not by spreading the exchange: that costs more than the rest of this file. */
function endOf(
  { requestId, userId, tokenId, route, startedAtMs }: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
  nowMs: number,
): EndedExchange {
  return {
    requestId,
    userId,
    tokenId,
    method: request.method ?? '',
    route: route ?? expressRouteOf(request),
    status: response.statusCode,
    durationMs: nowMs - startedAtMs,
    isComplete: response.writableFinished,
  };
}

/** Express leaves the pattern of the route that answered on the request. */
function expressRouteOf(request: IncomingMessage): string {
  const { route, baseUrl = '' } = request as { route?: { path?: unknown }; baseUrl?: string };
  return typeof route?.path === 'string' ? baseUrl + route.path : 'none';
}
