/**
 * Bodies of endpoints that read a file as it arrives: no limit of time as long as bytes keep coming, and no more of them
 * in memory than the reader has asked for.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText } from '@parley/contracts';
import type { Clock } from '@parley/runtime';
import { RefusedRequest, refusal } from '../http-errors.ts';
import { liftBodyTime } from './body-time.ts';

const MAX_UPLOAD_BYTES = 1024 ** 3;
/** Without a byte for so long, nobody sends any more. */
const STALL_MS = 60_000;
/** How long the other side may take to notice that it was answered while still sending, milliseconds. */
const LINGER_MS = 2000;

/**
 * Whoever is answered before the end of a file may not send the rest: the connection ends.
 *
 * @throws RefusedRequest 415 for another type, 413 for a file that says it is too large
 */
export function acceptUpload(
  { type, clock }: { type: string; clock: Clock },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  liftBodyTime(request);
  response.setHeader('Connection', 'close');
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    // Hanging up at once would take the answer from whoever is still sending.
    request.resume();
    const timer = clock.after(LINGER_MS, () => request.destroy());
    request.once('close', () => timer.cancel());
  });
  const sent = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (sent !== type || request.headers['content-encoding'] !== undefined)
    throw refusal(415, errorText.notCsvType);
  if (Number(request.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge();
}

/**
 * The bytes, as they are asked for.
 *
 * @throws RefusedRequest 408 when none came for a minute, 413 above the limit, 400 when the other side went away
 */
export async function* readUpload(request: IncomingMessage, clock: Clock): AsyncGenerator<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  let bytes = 0;
  for (;;) {
    const chunk = await nextChunk(chunks, clock);
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
    throw error instanceof RefusedRequest ? error : refusal(400, errorText.uploadCutOff);
  } finally {
    timer.cancel();
  }
}

function tooLarge(): RefusedRequest {
  return refusal(413, errorText.uploadTooLarge);
}
