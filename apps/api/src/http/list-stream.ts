/**
 * A list of any length as one JSON array, written batch by batch as fast as the client reads: memory holds one batch,
 * however many there are.
 */
import { Readable } from 'node:stream';
import type { Log } from '@parley/runtime';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { logFault } from './error-handler.ts';
import { requestIdOf } from './request-log.ts';

/** What a handler answers with instead of a list that is already there. */
export class ListStream<Item> {
  readonly batches: AsyncIterable<readonly Item[]>;

  constructor(batches: AsyncIterable<readonly Item[]>) {
    this.batches = batches;
  }
}

/** What the answer is written with. */
export interface ListStreamOptions {
  request: Request;
  response: Response;
  log: Log;
  /** Checks every batch before it leaves, in tests. */
  schema?: z.ZodType | undefined;
}

/**
 * Waits for the first batch, so that a failure up to there is answered properly. Later ones cut the connection: half a
 * list must not look like a whole one.
 */
export async function openListStream(
  list: ListStream<unknown>,
  options: ListStreamOptions,
): Promise<Readable> {
  const { request, response, log, schema } = options;
  const batches = list.batches[Symbol.asyncIterator]();
  const first = await batches.next();
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (request.method === 'HEAD' || response.destroyed) {
    await batches.return?.();
    return Readable.from([]);
  }
  const stream = Readable.from(jsonArray(first, batches, schema), { highWaterMark: 1 });
  stream.once('error', (error) => {
    logFault(log, error, requestIdOf(response));
    response.destroy();
  });
  response.once('close', () => stream.destroy());
  // Also where nothing was read of it yet.
  stream.once('close', () => void batches.return?.());
  return stream;
}

async function* jsonArray(
  first: IteratorResult<readonly unknown[]>,
  rest: AsyncIterator<readonly unknown[]>,
  schema: z.ZodType | undefined,
): AsyncGenerator<string> {
  let separator = '[';
  for (let next = first; !next.done; next = await rest.next()) {
    if (next.value.length === 0) continue;
    schema?.parse(next.value);
    // The items without the brackets around them.
    yield separator + JSON.stringify(next.value).slice(1, -1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
