/** Recordings of fixed sentences over REST. */
import type { api } from '@parley/contracts';
import {
  addRecordedPhrase,
  deleteRecordedPhrase,
  findRecordedPhrase,
  listRecordedPhrases,
} from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/recorded-phrases.ts`. */
export const recordedPhraseHandlers: RestHandlers<typeof api.recordedPhrases> = {
  async list({ core, identity }, { params }) {
    return { status: 200, body: await listRecordedPhrases(core, identity, params.id) };
  },

  async create({ core, identity }, { params, body }) {
    const data = await addRecordedPhrase(core, identity, { assistantId: params.id, input: body });
    const message = 'Recorded phrase created successfully. Decoding will begin shortly.';
    return { status: 201, body: { message, data } };
  },

  async get({ core, identity }, { params }) {
    const aim = { assistantId: params.id, id: params.phrase_id };
    return { status: 200, body: { data: await findRecordedPhrase(core, identity, aim) } };
  },

  async remove({ core, identity }, { params }) {
    await deleteRecordedPhrase(core, identity, { assistantId: params.id, id: params.phrase_id });
    return { status: 200, body: { message: 'Recorded phrase deleted successfully' } };
  },
};
