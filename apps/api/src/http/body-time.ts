/**
 * A time limit for request bodies: a client that sends one byte at a time would otherwise hold a connection for hours.
 * Node's own limit is switched off (app.ts), because it allows no exception for uploads.
 */
import type { IncomingMessage } from 'node:http';
import { errorText } from '@parley/contracts';
import type { Clock, Timer } from '@parley/runtime';
import type { RequestHandler } from 'express';
import { sendError } from './error-handler.ts';

/** Enough for 1 MiB at 280 kbit/s. */
const BODY_LIMIT_MS = 30_000;

const timers = new WeakMap<IncomingMessage, Timer>();

/** Answers 408 and closes the connection when a body takes longer. */
export function limitBodyTime(clock: Clock): RequestHandler {
  return (request, response, next) => {
    if (!hasBody(request)) return next();
    const timer = clock.after(BODY_LIMIT_MS, () => {
      if (request.complete) return;
      if (response.headersSent) {
        request.destroy();
        return;
      }
      response.once('finish', () => request.destroy());
      const body = { message: errorText.tooSlow };
      sendError(response, { status: 408, body, headers: { Connection: 'close' } });
    });
    timers.set(request, timer);
    request.once('end', () => timer.cancel());
    request.once('close', () => timer.cancel());
    next();
  };
}

/** For handlers that limit the body in their own way. */
export function liftBodyTime(request: IncomingMessage): void {
  timers.get(request)?.cancel();
}

/** True when the head announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
