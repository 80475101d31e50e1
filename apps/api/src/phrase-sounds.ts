/**
 * Sounds of recorded phrases for the admin app: `POST /phrase-sounds/<id of the assistant>?text=` with the sound as its body,
 * and `GET /phrase-sounds/<id of the assistant>/<id>.wav`. They do not use tRPC, whose messages have at most 1 MiB.
 */
import { errorText, fieldErrors, MAX_SOUND_BYTES, newRecordedPhraseBody } from '@parley/contracts';
import {
  addRecordedPhrase,
  auditCommitted,
  DomainError,
  findPhraseSound,
  listRecordedPhrases,
  type CoreContext,
} from '@parley/core';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { identityOf } from './http/authenticate.ts';
import { refuseUnstorable } from './http/json-body.ts';
import { acceptUpload, openUpload, readUploaded } from './http/upload-body.ts';
import { idOf } from './session-only.ts';

const FILE = /^(\d+)\.wav$/;

/** @param signedIn - requires a session */
export function createPhraseSounds(core: CoreContext, signedIn: RequestHandler): Router {
  const router = Router();
  router.post('/phrase-sounds/:id', signedIn, (request, response) => takeSound(core, request, response));
  router.get('/phrase-sounds/:id/:file', signedIn, (request, response) => giveSound(core, request, response));
  return router;
}

async function takeSound(core: CoreContext, request: Request, response: Response): Promise<void> {
  refuseUnstorable(request.query);
  const otherType = 'The request body must be a sound (Content-Type: application/octet-stream).';
  acceptUpload({ type: 'application/octet-stream', clock: core.clock, otherType }, request, response);
  const identity = identityOf(response);
  const assistantId = idOf(request.params['id'], 'Assistant not found');
  // Before the sound is read into memory.
  await listRecordedPhrases(core, identity, assistantId);
  const content = await readUploaded(openUpload(request, core.clock), MAX_SOUND_BYTES);
  const body = { text: request.query['text'], file: content.toString('base64') };
  const { data: input, error } = newRecordedPhraseBody.safeParse(body);
  if (error) throw new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(error.issues) });
  const data = await addRecordedPhrase(core, identity, { assistantId, input });
  await auditCommitted(core, {
    channel: 'app',
    operation: 'recordedPhrases.create',
    userId: identity.userId,
    networkAddress: request.ip ?? null,
    objectId: data.id,
  });
  response.json(data);
}

async function giveSound(core: CoreContext, request: Request, response: Response): Promise<void> {
  const notFound = 'Recorded phrase not found';
  const assistantId = idOf(request.params['id'], notFound);
  const id = idOf(FILE.exec(String(request.params['file']))?.[1], notFound);
  const sound = await findPhraseSound(core, identityOf(response), { assistantId, id });
  response.set({ 'Content-Type': 'audio/wav', 'Cache-Control': 'private, no-cache' });
  response.send(Buffer.from(sound));
}
