/** What is known of a request while it is answered. Errors name its id; log and metrics watch its end. */
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
}

/** What is told of an exchange at its end. */
interface EndedExchange extends Omit<Exchange, 'startedAtMs' | 'route'> {
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

/** @returns what opens an exchange; goes before everything else */
export function createExchanges(
  clock: Clock,
  observers: readonly ExchangeObserver[],
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const exchange: Exchange = {
      requestId: randomUUID(),
      startedAtMs: clock.monotonic(),
      route: null,
      userId: undefined,
      tokenId: undefined,
    };
    (response as WithExchange)[EXCHANGE] = exchange;
    response.setHeader('X-Request-Id', exchange.requestId);
    response.once('close', () => {
      const { startedAtMs, route, ...kept } = exchange;
      const ended: EndedExchange = {
        ...kept,
        method: request.method ?? '',
        route: route ?? expressRouteOf(request),
        status: response.statusCode,
        durationMs: clock.monotonic() - startedAtMs,
        isComplete: response.writableFinished,
      };
      for (const observe of observers) observe(ended);
    });
  };
}

/** Express leaves the pattern of the route that answered on the request. */
function expressRouteOf(request: IncomingMessage): string {
  const { route, baseUrl = '' } = request as { route?: { path?: unknown }; baseUrl?: string };
  return typeof route?.path === 'string' ? baseUrl + route.path : 'none';
}
