/** Serves the router at `/trpc`: queries and mutations over HTTP, subscriptions over a WebSocket. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { type Express } from 'express';
import { WebSocketServer } from 'ws';
import { logFault } from '../http/error-handler.ts';
import type { OriginReader } from '../http/request-origin.ts';
import { factsOf } from '../http/request-facts.ts';
import { UNAVAILABLE_RETRY_HEADERS } from '../http-errors.ts';
import { contextOfRequest, contextOfSocket, type TrpcParts } from './context.ts';
import { toTrpcError } from './procedures.ts';
import { appRouter } from './router.ts';

/** The path of both HTTP and WebSocket. */
export const TRPC_PATH = '/trpc';

const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Procedures in one HTTP request; no page of the admin app starts more at the same time. */
const MAX_BATCH_SIZE = 20;
/** How long a client may take to close its socket after a stop, milliseconds. */
const CLOSE_LIMIT_MS = 1000;

/** Codes of errors that are logged; all others are the client's. */
const FAULTS: ReadonlySet<string> = new Set(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE']);

/** Mounts HTTP; answers are never cached. */
export function mountTrpc(app: Express, parts: TrpcParts & { originOf: OriginReader }): void {
  app.use(TRPC_PATH, (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
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
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Asks every client to reconnect later, and closes. */
  stop(): Promise<void>;
}

/** Does not listen: the HTTP server passes upgrade requests on. */
export function createTrpcSockets(parts: TrpcParts): TrpcSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const handler = applyWSSHandler({
    wss: server,
    router: appRouter,
    createContext: ({ req }) => contextOfSocket(parts, req),
    keepAlive: { enabled: true },
    onError: ({ error }) => {
      if (FAULTS.has(error.code)) logFault(parts.core.log, error.cause ?? error, '');
    },
  });
  return {
    accept: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (client) => server.emit('connection', client, request)),
    async stop() {
      handler.broadcastReconnectNotification();
      const closed = [...server.clients].map(
        (client) => new Promise((resolve) => client.once('close', resolve)),
      );
      for (const client of server.clients) client.close();
      const timer = parts.core.clock.after(CLOSE_LIMIT_MS, () => {
        for (const client of server.clients) client.terminate();
      });
      await Promise.all(closed);
      timer.cancel();
      server.close();
    },
  };
}
