/** A list of any length as one JSON array, written batch by batch. */
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { openTextStream, type TextStreamOptions } from './text-stream.ts';

/** What a handler answers with instead of an array that is already in memory. */
export class ListStream<Item> {
  readonly batches: AsyncIterable<readonly Item[]>;

  constructor(batches: AsyncIterable<readonly Item[]>) {
    this.batches = batches;
  }
}

interface ListStreamOptions extends Omit<TextStreamOptions, 'headers'> {
  /** Checks every batch before it is sent, in tests. */
  schema?: z.ZodType | undefined;
}

/** Rejects when something fails before the first batch. */
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
