/** Webhook endpoints over REST. */
import type { api } from '@parley/contracts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  rotateEndpointSecret,
  testEndpoint,
} from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/webhook-endpoints.ts`. */
export const webhookEndpointHandlers: RestHandlers<typeof api.webhookEndpoints> = {
  async list({ core, identity }) {
    return { status: 200, body: await listEndpoints(core, identity) };
  },

  async create({ core, identity }, { body }) {
    const data = await createEndpoint(core, identity, body);
    return { status: 201, body: { message: 'Webhook endpoint created successfully', data } };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findEndpoint(core, identity, params.id) };
  },

  async update({ core, identity }, { params, body }) {
    const data = await changeEndpoint(core, identity, { id: params.id, changes: body });
    return { status: 200, body: { message: 'Webhook endpoint updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await deleteEndpoint(core, identity, params.id);
    return { status: 200, body: { message: 'Webhook endpoint deleted successfully' } };
  },

  async rotateSecret({ core, identity }, { params, body }) {
    const change = { id: params.id, keepOldForHours: body.keep_old_for_hours };
    const data = await rotateEndpointSecret(core, identity, change);
    return { status: 200, body: { message: 'Webhook secret replaced successfully', data } };
  },

  async test({ core, identity }, { params }) {
    const data = await testEndpoint(core, identity, params.id);
    const wasAnswered = data.status !== null;
    const message = wasAnswered ? 'The test event was sent' : 'The test event could not be delivered';
    return { status: 200, body: { message, data } };
  },
};
