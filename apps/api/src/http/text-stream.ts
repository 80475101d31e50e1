/**
 * An answer of any length, written piece by piece as fast as the client reads: memory holds one piece, however many
 * there are.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Log } from '@parley/runtime';
import { logFault } from './error-handler.ts';
import { exchangeOf, handOverHeaders } from './exchange.ts';

/** What the answer is written with. */
export interface TextStreamOptions {
  request: IncomingMessage;
  response: ServerResponse;
  log: Log;
  headers: Record<string, string>;
}

/** A file that a handler answers with, while it is still being made. */
export class FileStream {
  readonly pieces: AsyncGenerator<string>;
  readonly headers: Record<string, string>;

  /** @param fileName - offered to whoever saves it; plain letters, digits, dots and hyphens */
  constructor(pieces: AsyncGenerator<string>, { type, fileName }: { type: string; fileName: string }) {
    this.pieces = pieces;
    this.headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${fileName}"` };
  }
}

/**
 * Waits for the first piece, so that a failure up to there is answered properly. Later ones cut the connection: half an
 * answer must not look like a whole one.
 */
export async function openTextStream(
  pieces: AsyncGenerator<string>,
  options: TextStreamOptions,
): Promise<Readable> {
  const { request, response, log, headers } = options;
  const first = await pieces.next();
  handOverHeaders(response);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (request.method === 'HEAD' || response.destroyed) {
    await pieces.return(undefined);
    return Readable.from([]);
  }
  const stream = Readable.from(joined(first, pieces), { highWaterMark: 1 });
  stream.once('error', (error) => {
    logFault(log, error, exchangeOf(response).requestId);
    response.destroy();
  });
  response.once('close', () => stream.destroy());
  // Also where nothing was read of it yet.
  stream.once('close', () => void pieces.return(undefined));
  return stream;
}

async function* joined(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  for (let next = first; !next.done; next = await rest.next()) yield next.value;
}
