/**
 * Sounds of recorded phrases for the admin app: `POST /phrase-sounds/<id of the assistant>?text=` and
 * `GET /phrase-sounds/<id of the assistant>/<id>.wav`.
 */
import { MAX_SOUND_BYTES, newRecordedPhraseBody } from '@parley/contracts';
import { addRecordedPhrase, findPhraseSound, listRecordedPhrases, type CoreContext } from '@parley/core';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { takeUpload } from './admin-upload.ts';
import { identityOf } from './http/authenticate.ts';
import { idOf } from './session-only.ts';

const FILE = /^(\d+)\.wav$/;

/** @param signedIn - requires a session */
export function createPhraseSounds(core: CoreContext, signedIn: RequestHandler): Router {
  const router = Router();
  const takeSound = takeUpload(core, {
    otherType: 'The request body must be a sound (Content-Type: application/octet-stream).',
    maxBytes: MAX_SOUND_BYTES,
    notFound: 'Assistant not found',
    find: (identity, assistantId) => listRecordedPhrases(core, identity, assistantId),
    schema: newRecordedPhraseBody,
    bodyOf: (file, { text }) => ({ text, file }),
    create: (identity, assistantId, input) => addRecordedPhrase(core, identity, { assistantId, input }),
    operation: 'recordedPhrases.create',
  });
  router.post('/phrase-sounds/:id', signedIn, takeSound);
  router.get('/phrase-sounds/:id/:file', signedIn, (request, response) => giveSound(core, request, response));
  return router;
}

async function giveSound(core: CoreContext, request: Request, response: Response): Promise<void> {
  const notFound = 'Recorded phrase not found';
  const assistantId = idOf(request.params['id'], notFound);
  const id = idOf(FILE.exec(String(request.params['file']))?.[1], notFound);
  const sound = await findPhraseSound(core, identityOf(response), { assistantId, id });
  response.set({ 'Content-Type': 'audio/wav', 'Cache-Control': 'private, no-cache' });
  response.send(Buffer.from(sound));
}
