/** An answer of any length, written piece by piece as fast as the client reads: memory holds one piece at a time. */
import { Readable } from 'node:stream';
import { BackgroundWork, type Log } from '@parley/runtime';
import type { Request, Response } from 'express';
import { logFault } from './error-handler.ts';
import { factsOf } from './request-facts.ts';

/** The request that is answered, and what the answer needs. */
export interface TextStreamOptions {
  request: Request;
  response: Response;
  log: Log;
  headers: Record<string, string>;
}

/** A file that a handler answers with while it is still being generated. */
export class FileStream {
  readonly pieces: AsyncGenerator<string | Uint8Array>;
  readonly headers: Record<string, string>;

  /** @param fileName - suggested to the client; plain letters, digits, dots and hyphens */
  constructor(
    pieces: AsyncGenerator<string | Uint8Array>,
    { type, fileName }: { type: string; fileName: string },
  ) {
    this.pieces = pieces;
    this.headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${fileName}"` };
  }
}

/**
 * Waits for the first piece, so that an earlier failure gets an error status. A later one closes the connection, so that
 * a partial answer cannot be taken for a complete one.
 */
export async function openTextStream(
  pieces: AsyncGenerator<string | Uint8Array>,
  options: TextStreamOptions,
): Promise<Readable> {
  const { request, response, log, headers } = options;
  const first = await pieces.next();
  response.set(headers);
  if (request.method === 'HEAD' || response.destroyed) {
    await pieces.return(undefined);
    return Readable.from([]);
  }
  const stream = Readable.from(joined(first, pieces), { highWaterMark: 1 });
  stream.once('error', (error) => {
    logFault(log, error, factsOf(response).requestId);
    response.destroy();
  });
  response.once('close', () => stream.destroy());
  // Destroying the stream does not end a generator that was never read.
  const background = new BackgroundWork(log);
  stream.once('close', () => background.start('end a list', () => pieces.return(undefined)));
  return stream;
}

async function* joined<Piece>(
  first: IteratorResult<Piece>,
  rest: AsyncGenerator<Piece>,
): AsyncGenerator<Piece> {
  for (let next = first; !next.done; next = await rest.next()) yield next.value;
}
