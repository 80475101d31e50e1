/** Phone numbers over REST. */
import type { api } from '@parley/contracts';
import { addNumber, listOwnNumbers, removeInboundRoute, removeNumber, setInboundRoute } from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/phone-numbers.ts`. */
export const phoneNumberHandlers: RestHandlers<typeof api.phoneNumbers> = {
  async list({ core, identity }, { query }) {
    return { status: 200, body: await listOwnNumbers(core, identity, query.user_id) };
  },

  async create({ core, identity }, { body }) {
    const data = await addNumber(core, identity, body);
    return { status: 201, body: { message: 'Phone number added successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await removeNumber(core, identity, params.id);
    return { status: 200, body: { message: 'Phone number deleted successfully' } };
  },

  async setRoute({ core, identity }, { params, body }) {
    const data = await setInboundRoute(core, identity, params.id, body);
    return { status: 200, body: { message: 'Inbound route updated successfully', data } };
  },

  async removeRoute({ core, identity }, { params }) {
    await removeInboundRoute(core, identity, params.id);
    return { status: 200, body: { message: 'Inbound route deleted successfully' } };
  },
};
