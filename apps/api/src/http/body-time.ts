/**
 * A body has to arrive in time: whoever sends it byte by byte would otherwise hold a connection for hours. This is the
 * only limit on it (Node's own, which knows no exceptions, is switched off).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText } from '@parley/contracts';
import type { Clock, Timer } from '@parley/runtime';
import { sendError } from './error-handler.ts';

/** A mebibyte takes this long on a line of 280 kbit/s. */
const BODY_LIMIT_MS = 30_000;

const timers = new WeakMap<IncomingMessage, Timer>();

/** 408 and the end of the connection when a body takes longer. Nothing to do where it is here already. */
export function limitBodyTime(clock: Clock, request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || !hasBody(request)) return;
  const timer = clock.after(BODY_LIMIT_MS, () => {
    if (request.complete) return;
    if (response.headersSent) return void request.destroy();
    response.once('finish', () => request.destroy());
    sendError(response, {
      status: 408,
      body: { message: errorText.tooSlow },
      headers: { Connection: 'close' },
    });
  });
  timers.set(request, timer);
  request.once('end', () => timer.cancel());
  request.once('close', () => timer.cancel());
}

/** For whoever limits the body in a way of its own. */
export function liftBodyTime(request: IncomingMessage): void {
  timers.get(request)?.cancel();
}

/** Whether the head says that a body follows. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
