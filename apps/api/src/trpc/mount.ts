/** Serves the router at `/trpc`: queries and mutations over HTTP, subscriptions over a WebSocket. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError } from '@parley/core';
import { networkOf, refuseUpgrade } from '@parley/runtime';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { getWSConnectionHandler } from '@trpc/server/adapters/ws';
import { type Express } from 'express';
import { WebSocketServer, type WebSocket } from 'ws';
import type { BodyBudget } from '../http/body-budget.ts';
import { logFault } from '../http/error-handler.ts';
import type { OpenStreams } from '../http/open-streams.ts';
import type { OriginReader } from '../http/request-origin.ts';
import { factsOf } from '../http/request-facts.ts';
import { UNAVAILABLE_RETRY_HEADERS } from '../http-errors.ts';
import type { SessionWatch } from '../session-watch.ts';
import { AppSocket, createSocketCounts } from './app-socket.ts';
import { contextOfRequest, contextOfSocket, type TrpcParts } from './context.ts';
import { keepBody } from './kept-body.ts';
import { toTrpcError } from './procedures.ts';
import { appRouter } from './router.ts';

/** The path of both HTTP and WebSocket. */
export const TRPC_PATH = '/trpc';

const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Subscriptions have small inputs. */
const MAX_SOCKET_MESSAGE_BYTES = 16 * 1024;
/** Procedures in one HTTP request; no page of the admin app starts more at the same time. */
const MAX_BATCH_SIZE = 20;
/** How long a client may take to close its socket after a stop, milliseconds. */
const CLOSE_LIMIT_MS = 1000;

/** Codes of errors that are logged; all others are the client's. */
const FAULTS: ReadonlySet<string> = new Set(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE']);

/** Mounts HTTP; answers are never cached. */
export function mountTrpc(
  app: Express,
  parts: TrpcParts & { originOf: OriginReader; bodies: BodyBudget },
): void {
  app.use(TRPC_PATH, (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    // Before the session is looked up.
    parts.bodies.enter(networkOf(request.ip ?? ''), MAX_MESSAGE_BYTES, { request, response });
    keepBody(request, MAX_MESSAGE_BYTES);
    next();
  });
  app.use(
    TRPC_PATH,
    createExpressMiddleware({
      router: appRouter,
      maxBodySize: MAX_MESSAGE_BYTES,
      maxBatchSize: MAX_BATCH_SIZE,
      createContext: (options) =>
        contextOfRequest(parts, options).catch((cause: unknown) => {
          throw toTrpcError(cause);
        }),
      responseMeta: ({ errors }) =>
        errors.some(({ code }) => code === 'SERVICE_UNAVAILABLE')
          ? { headers: UNAVAILABLE_RETRY_HEADERS }
          : {},
      onError: ({ error, req }) => {
        if (!FAULTS.has(error.code)) return;
        logFault(parts.core.log, error.cause ?? error, req.res ? factsOf(req.res).requestId : '');
      },
    }),
  );
}

/** The router's WebSockets. The caller checks which requests may open one. */
export interface TrpcSockets {
  /** Upgrades a request to a WebSocket of the router. */
  accept(request: IncomingMessage, socket: Duplex, about: { head: Buffer; networkAddress: string }): void;
  /** Asks every client to reconnect later, and closes. */
  stop(): Promise<void>;
}

/** The message with which tRPC asks a client to reconnect. */
const RECONNECT = JSON.stringify({ id: null, method: 'reconnect' });

/** Does not listen: the HTTP server passes upgrade requests on. */
export function createTrpcSockets(parts: TrpcParts & { sessions: SessionWatch }): TrpcSockets {
  const { core, sessions } = parts;
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_SOCKET_MESSAGE_BYTES });
  const shared = { clock: core.clock, sessions, ...createSocketCounts() };
  const connect = (client: WebSocket, request: IncomingMessage, about: Counted): void => {
    // Before the handler, so that it counts messages first.
    const socket = new AppSocket(client, shared, about.leave);
    const handle = getWSConnectionHandler({
      wss: server,
      router: appRouter,
      createContext: () => {
        const asked = { request, networkAddress: about.networkAddress, socket };
        return contextOfSocket(parts, asked).catch((cause: unknown) => {
          throw toTrpcError(cause);
        });
      },
      keepAlive: { enabled: true },
      onError: ({ error }) => {
        if (isInvalidFrame(error.cause))
          core.log.debug({ err: error.cause }, 'A WebSocket sent an invalid frame');
        else if (FAULTS.has(error.code)) logFault(core.log, error.cause ?? error, '');
      },
    });
    handle(client, request);
  };
  return {
    accept(request, socket, { head, networkAddress }) {
      const leave = enter(shared.unknown, networkOf(networkAddress));
      if (leave === null) return refuseUpgrade(socket, 429);
      // A handshake that fails closes the socket and gives no client.
      socket.once('close', leave);
      server.handleUpgrade(request, socket, head, (client) => {
        socket.off('close', leave);
        connect(client, request, { networkAddress, leave });
      });
    },
    async stop() {
      const closed = [...server.clients].map(
        (client) => new Promise((resolve) => client.once('close', resolve)),
      );
      for (const client of server.clients) {
        if (client.readyState === client.OPEN) client.send(RECONNECT);
        client.close();
      }
      const timer = parts.core.clock.after(CLOSE_LIMIT_MS, () => {
        for (const client of server.clients) client.terminate();
      });
      await Promise.all(closed);
      timer.cancel();
      server.close();
    },
  };
}

/** Errors of the library that reads frames. tRPC reports them as faults of the server. */
function isInvalidFrame(cause: unknown): boolean {
  const { code } = Object(cause) as { code?: unknown };
  return typeof code === 'string' && code.startsWith('WS_ERR_');
}

/** A connection that is counted. */
interface Counted {
  networkAddress: string;
  leave: () => void;
}

/** @returns null above the limit */
function enter(streams: OpenStreams, network: string): (() => void) | null {
  try {
    return streams.enter(network);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
