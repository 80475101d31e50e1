/** Tools of an account over REST. */
import type { api } from '@parley/contracts';
import {
  changeAccountTool,
  createAccountTool,
  deleteAccountTool,
  findAccountTool,
  listAccountTools,
} from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/tools.ts`. */
export const toolHandlers: RestHandlers<typeof api.tools> = {
  async list({ core, identity }) {
    return { status: 200, body: await listAccountTools(core, identity) };
  },

  async create({ core, identity }, { body }) {
    const data = await createAccountTool(core, identity, body);
    return { status: 201, body: { message: 'Tool created successfully', data } };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findAccountTool(core, identity, params.id) };
  },

  async update({ core, identity }, { params, body }) {
    const data = await changeAccountTool(core, identity, { id: params.id, changes: body });
    return { status: 200, body: { message: 'Tool updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await deleteAccountTool(core, identity, params.id);
    return { status: 200, body: { message: 'Tool deleted successfully' } };
  },
};
