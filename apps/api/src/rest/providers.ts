/** Provider accounts over REST. */
import type { api } from '@parley/contracts';
import { changeProvider, createProvider, listProviders, removeProvider } from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/providers.ts`. */
export const providerHandlers: RestHandlers<typeof api.providers> = {
  async list({ core, identity }) {
    return { status: 200, body: await listProviders(core, identity) };
  },

  async create({ core, identity }, { body }) {
    const data = await createProvider(core, identity, body);
    return { status: 201, body: { message: 'Provider created successfully', data } };
  },

  async update({ core, identity }, { params, body }) {
    const data = await changeProvider(core, identity, { ...body, id: params.id });
    return { status: 200, body: { message: 'Provider updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await removeProvider(core, identity, params.id);
    return { status: 200, body: { message: 'Provider deleted successfully' } };
  },
};
