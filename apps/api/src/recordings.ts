/**
 * Recordings at their signed URLs, `/recordings/<call id>/<signature>.wav`: they need no token, so that a player or a CRM
 * can use them directly. Range requests let a player seek.
 */
import { pipeline } from 'node:stream/promises';
import { errorText } from '@parley/contracts';
import { DomainError, findRecordingByUrl, type CoreContext } from '@parley/core';
import { Router, type Request, type Response } from 'express';
import { chooseRange, type RangeAnswer } from './byte-range.rules.ts';

const FILE = /^([\w-]+)\.wav$/;

/** Serves them from the recording storage. */
export function createRecordings(core: CoreContext): Router {
  const router = Router();
  router.get('/recordings/:callId/:file', (request, response) => answer(core, request, response));
  return router;
}

async function answer(
  core: CoreContext,
  request: Request<FileParameters>,
  response: Response,
): Promise<void> {
  const key = await findKey(core, request.params);
  const size = key === null ? null : await core.recordings.size(key);
  if (key === null || size === null) throw new DomainError('not-found', errorText.notFound);
  const range = chooseRange(request.headers.range, size);
  writeHead(response, range, size);
  if (range.kind === 'unsatisfiable' || request.method === 'HEAD') response.end();
  else await send(core, { key, range, response });
}

interface FileParameters {
  callId: string;
  file: string;
}

async function findKey(core: CoreContext, { callId, file }: FileParameters): Promise<string | null> {
  const signature = FILE.exec(file)?.[1];
  if (signature === undefined || !/^\d{1,15}$/.test(callId)) return null;
  const found = await findRecordingByUrl(core, { callId: Number(callId), signature });
  return found?.key ?? null;
}

function writeHead(response: Response, range: RangeAnswer, size: number): void {
  response.set({
    'Content-Type': 'audio/wav',
    'Accept-Ranges': 'bytes',
    // The URL is valid as long as the recording exists, so shared caches must not store it.
    'Cache-Control': 'private, no-cache',
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  if (range.kind === 'whole') response.status(200).set('Content-Length', String(size));
  if (range.kind === 'unsatisfiable') response.status(416).set('Content-Range', `bytes */${size}`);
  if (range.kind !== 'part') return;
  const { start, end } = range;
  response
    .status(206)
    .set({ 'Content-Range': `bytes ${start}-${end}/${size}`, 'Content-Length': String(end - start + 1) });
}

interface Sending {
  key: string;
  range: RangeAnswer;
  response: Response;
}

/** If the client disconnects or the file disappears, the answer ends: its head has been sent already. */
async function send(core: CoreContext, { key, range, response }: Sending): Promise<void> {
  const stream = core.recordings.open(
    key,
    range.kind === 'part' ? { start: range.start, end: range.end } : undefined,
  );
  await pipeline(stream, response).catch((error: unknown) => {
    core.log.debug({ err: error }, 'A recording was not sent completely');
    response.destroy();
  });
}
