/**
 * The body of a request to the router, beside tRPC, which reads and parses it: its values are counted before tRPC parses it,
 * because a limit of bytes limits neither the time nor the memory that parsing takes.
 */
import type { IncomingMessage } from 'node:http';
import { errorText } from '@parley/contracts';
import { MAX_VALUES } from '../http/json-body.ts';
import { countValues } from '../http/json-values.rules.ts';
import { hasBody } from '../http/body-time.ts';
import { refusal } from '../http-errors.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

const bodies = new WeakMap<IncomingMessage, Promise<Buffer>>();

/** Must run in the same turn of the event loop as tRPC's handler: the body begins to flow. A body above `limitBytes` is not kept. */
export function keepBody(request: IncomingMessage, limitBytes: number): void {
  if (!hasBody(request)) return;
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > limitBytes) finish(Buffer.alloc(0));
  };
  const finish = (body: Buffer): void => {
    request.off('data', onData);
    resolve(body);
  };
  request.on('data', onData);
  request.once('end', () => finish(Buffer.concat(chunks)));
  request.once('close', () => finish(Buffer.alloc(0)));
  bodies.set(request, promise);
}

/**
 * Waits for the whole body.
 *
 * @throws RefusedRequest for a body with too many values, or one that is not JSON: tRPC would parse forms too
 */
export async function requireFewValues(request: IncomingMessage): Promise<void> {
  const body = await bodies.get(request);
  if (body === undefined) return;
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw refusal(415, errorText.notJsonType);
  if (countValues(body, MAX_VALUES).values > MAX_VALUES)
    throw refusal(413, errorText.tooManyValues(MAX_VALUES));
}
