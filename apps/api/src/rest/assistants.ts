/** Assistants over REST. What an assistant may be is decided in core. */
import { paginate, type api } from '@parley/contracts';
import {
  createAssistant,
  findAssistant,
  listAllAssistants,
  listAssistants,
  listOutboundAssistants,
} from '@parley/core';
import type { RestHandlers } from './mount.ts';

/** Handlers of `contracts/assistants.ts`. */
export const assistantHandlers: RestHandlers<typeof api.assistants> = {
  async create({ core, identity }, { body }) {
    const { id, name, status, type, mode } = await createAssistant(core, identity, body);
    return {
      status: 201,
      body: { message: 'Assistant created successfully', data: { id, name, status, type, mode } },
    };
  },

  async list({ core, identity, url }, { query }) {
    const page = { page: query.page, perPage: query.per_page };
    const found = await listAssistants(core, identity, page);
    return { status: 200, body: paginate({ ...found, ...page, url }) };
  },

  async listAll({ core, identity }) {
    return { status: 200, body: await listAllAssistants(core, identity) };
  },

  async listOutbound({ core, identity }) {
    return { status: 200, body: await listOutboundAssistants(core, identity) };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findAssistant(core, identity, params.id) };
  },
};
