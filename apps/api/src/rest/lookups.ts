/** The lists of values that assistants are configured with, over REST. */
import type { api } from '@parley/contracts';
import {
  listLanguages,
  listModels,
  listPhoneNumbers,
  listSynthesizerProviders,
  listTranscriberProviders,
  listVoices,
} from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/lookups.ts`. */
export const lookupHandlers: RestHandlers<typeof api.lookups> = {
  async listVoices({ core, identity }, { query }) {
    return { status: 200, body: await listVoices(core, identity, query) };
  },

  async listModels({ core, identity }) {
    return { status: 200, body: await listModels(core, identity) };
  },

  async listLanguages({ core, identity }) {
    return { status: 200, body: await listLanguages(core, identity) };
  },

  async listPhoneNumbers({ core, identity }, { query }) {
    return { status: 200, body: await listPhoneNumbers(core, identity, query) };
  },

  async listSynthesizerProviders({ core, identity }) {
    return { status: 200, body: await listSynthesizerProviders(core, identity) };
  },

  async listTranscriberProviders({ core, identity }) {
    return { status: 200, body: await listTranscriberProviders(core, identity) };
  },
};
