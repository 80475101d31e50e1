/** Phone numbers over REST. */
import type { api } from '@parley/contracts';
import {
  addNumber,
  changeNumber,
  listAllNumbers,
  listOwnNumbers,
  purchaseNumber,
  removeInboundRoute,
  removeNumber,
  searchCarrierNumbers,
  setInboundRoute,
} from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Releasing a number at its carrier would lose it for good. */
const KEPT =
  'It still belongs to the carrier account and is paid for there until you release it in the pages of the carrier.';

/** Handlers of `contracts/phone-numbers.ts`. */
export const phoneNumberHandlers: RestHandlers<typeof api.phoneNumbers> = {
  async list({ core, identity }, { query }) {
    return { status: 200, body: await listOwnNumbers(core, identity, query.user_id) };
  },

  async create({ core, identity }, { body }) {
    const data = await addNumber(core, identity, body);
    return { status: 201, body: { message: 'Phone number added successfully', data } };
  },

  async all({ core, identity }) {
    return { status: 200, body: { data: await listAllNumbers(core, identity) } };
  },

  async search({ core, identity }, { query }) {
    return { status: 200, body: { data: await searchCarrierNumbers(core, identity, query) } };
  },

  async purchase({ core, identity }, { body }) {
    const data = await purchaseNumber(core, identity, body);
    return { status: 201, body: { message: 'Phone number purchased successfully', data } };
  },

  async update({ core, identity }, { params, body }) {
    const data = await changeNumber(core, identity, { ...body, id: params.id });
    return { status: 200, body: { message: 'Phone number updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    const { isOfCarrier } = await removeNumber(core, identity, params.id);
    const message = 'Phone number deleted successfully';
    return { status: 200, body: { message: isOfCarrier ? `${message}. ${KEPT}` : message } };
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
