/** A body has to arrive in time: whoever sends it byte by byte would otherwise hold a connection for minutes. */
import { errorText } from '@parley/contracts';
import type { Clock } from '@parley/runtime';
import type { RequestHandler } from 'express';
import { sendError } from './error-handler.ts';

/** A mebibyte takes this long on a line of 280 kbit/s. */
const BODY_LIMIT_MS = 30_000;

/** 408 and the end of the connection when a body takes longer. Goes before whatever reads it. */
export function limitBodyTime(clock: Clock): RequestHandler {
  return (request, response, next) => {
    if (request.complete) return next();
    const timer = clock.after(BODY_LIMIT_MS, () => {
      if (response.headersSent) return;
      response.once('finish', () => request.destroy());
      sendError(response, {
        status: 408,
        body: { message: errorText.tooSlow },
        headers: { Connection: 'close' },
      });
    });
    request.once('end', () => timer.cancel());
    request.once('close', () => timer.cancel());
    next();
  };
}
