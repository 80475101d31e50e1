/** A list of any length as one JSON array, written batch by batch. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Log } from '@parley/runtime';
import type { z } from 'zod';
import { openTextStream } from './text-stream.ts';

/** What a handler answers with instead of a list that is already there. */
export class ListStream<Item> {
  readonly batches: AsyncIterable<readonly Item[]>;

  constructor(batches: AsyncIterable<readonly Item[]>) {
    this.batches = batches;
  }
}

/** What the answer is written with. */
export interface ListStreamOptions {
  request: IncomingMessage;
  response: ServerResponse;
  log: Log;
  /** Checks every batch before it leaves, in tests. */
  schema?: z.ZodType | undefined;
}

/** Rejects with whatever went wrong up to the first batch. */
export function openListStream(
  list: ListStream<unknown>,
  { schema, ...options }: ListStreamOptions,
): Promise<Readable> {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return openTextStream(jsonArray(list.batches, schema), { ...options, headers });
}

async function* jsonArray(
  batches: AsyncIterable<readonly unknown[]>,
  schema: z.ZodType | undefined,
): AsyncGenerator<string> {
  let separator = '[';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    schema?.parse(batch);
    // The items without the brackets around them.
    yield separator + JSON.stringify(batch).slice(1, -1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
