/**
 * Bodies of endpoints that read a file as it arrives: no time limit as long as bytes keep coming, and no more of them in
 * memory than the reader has asked for.
 */
import type { IncomingMessage } from 'node:http';
import { errorText, metadataOf } from '@parley/contracts';
import type { Clock } from '@parley/runtime';
import type { Request, Response } from 'express';
import { RefusedRequest, refusal } from '../http-errors.ts';
import { checkKey, keyOf } from '../idempotency.ts';
import type { RestMiddleware } from './rest-request.ts';
import { identityOf } from './authenticate.ts';
import { liftBodyTime } from './body-time.ts';
import { OpenStreams } from './open-streams.ts';
import { renewIdentity } from './renew-identity.ts';

const MAX_UPLOAD_BYTES = 1024 ** 3;
/** Concurrent uploads of one user: what is read of each is in memory, up to 62.5 million characters of a file of leads. */
const MAX_OPEN = 10;
/** An upload that sends no byte for this long has stalled, milliseconds. */
const STALL_MS = 60_000;
/** How long a client that is still sending may take to read its answer, milliseconds. */
const LINGER_MS = 2000;

const openUploads = new OpenStreams(MAX_OPEN, 'uploads');

/** Accepts the body of endpoints whose contract declares an upload. */
export function acceptUploads(clock: Clock): RestMiddleware {
  return (request, response, next) => {
    const { upload } = metadataOf(request.tsRestRoute);
    if (upload !== undefined) acceptUpload({ type: upload, clock }, request, response);
    next();
  };
}

/**
 * A client that is answered before the end of its file may not send the rest: the connection is closed.
 *
 * @throws RefusedRequest 415 for another type, 413 for a `Content-Length` above the limit
 * @throws DomainError `too-many` above {@link MAX_OPEN}
 */
export function acceptUpload(
  { type, clock, otherType = errorText.notCsvType }: { type: string; clock: Clock; otherType?: string },
  request: IncomingMessage,
  response: Response,
): void {
  liftBodyTime(request);
  response.setHeader('Connection', 'close');
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    // A client that is still sending would lose the answer if the connection were closed at once.
    request.resume();
    const timer = clock.after(LINGER_MS, () => request.destroy());
    request.once('close', () => timer.cancel());
  });
  const sent = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (sent !== type || request.headers['content-encoding'] !== undefined) throw refusal(415, otherType);
  if (Number(request.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge();
  const leave = openUploads.enter(identityOf(response).userId);
  response.once('close', leave);
}

/** A body that is read as it arrives. */
interface Upload {
  bytes: AsyncIterable<Uint8Array>;
  /** From `Content-Length`; undefined without that header. */
  bytesTotal: number | undefined;
  /** The header `Idempotency-Key`. */
  key: string | undefined;
}

/** @throws DomainError `invalid` for a key that is too long */
export function openUpload(request: Request, clock: Clock): Upload {
  const { res: response } = request;
  if (!response) throw new Error('A request without a response');
  const length = request.get('content-length');
  const key = keyOf(request);
  if (key !== undefined) checkKey(key);
  return {
    bytes: readUpload(request, response, clock),
    bytesTotal: length === undefined ? undefined : Number(length),
    key,
  };
}

/** All of an upload in memory. @throws RefusedRequest 413 above the limit */
export async function readUploaded({ bytes }: Pick<Upload, 'bytes'>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.byteLength;
    if (length > maxBytes)
      throw refusal(413, `The file must not be larger than ${maxBytes / 1024 ** 2} MiB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * @throws RefusedRequest 408 without a byte for a minute, 413 above the limit, 400 when the client disconnects
 * @throws DomainError `unauthenticated` when the token or the session has ended meanwhile
 */
async function* readUpload(
  request: IncomingMessage,
  response: Response,
  clock: Clock,
): AsyncGenerator<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  let bytes = 0;
  for (;;) {
    const chunk = await nextChunk(chunks, clock);
    await renewIdentity(response, clock);
    if (chunk === null) return;
    bytes += chunk.byteLength;
    if (bytes > MAX_UPLOAD_BYTES) throw tooLarge();
    yield chunk;
  }
}

async function nextChunk(chunks: AsyncIterator<Uint8Array>, clock: Clock): Promise<Uint8Array | null> {
  const stalled = Promise.withResolvers<never>();
  const timer = clock.after(STALL_MS, () => stalled.reject(refusal(408, errorText.tooSlow)));
  try {
    const next = await Promise.race([chunks.next(), stalled.promise]);
    return next.done ? null : next.value;
  } catch (error) {
    throw error instanceof RefusedRequest
      ? error
      : refusal(400, errorText.uploadCutOff, 'upload_interrupted');
  } finally {
    timer.cancel();
  }
}

function tooLarge(): RefusedRequest {
  return refusal(413, errorText.uploadTooLarge);
}
