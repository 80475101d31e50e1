/** Versions of assistants over REST. */
import type { api } from '@parley/contracts';
import { findAssistantVersion, listAssistantVersions, restoreAssistantVersion } from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/assistant-versions.ts`. */
export const assistantVersionHandlers: RestHandlers<typeof api.assistantVersions> = {
  async list({ core, identity }, { params }) {
    return { status: 200, body: await listAssistantVersions(core, identity, params.id) };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findAssistantVersion(core, identity, params) };
  },

  async restore({ core, identity }, { params, body }) {
    const data = await restoreAssistantVersion(core, identity, { ...params, settings: body.settings });
    return { status: 200, body: { message: 'Version restored successfully', data } };
  },
};
