/** Accounts at carriers over REST. */
import type { api } from '@parley/contracts';
import {
  addCarrierAccount,
  changeCarrierAccount,
  connectCarrierAccount,
  importCarrierNumbers,
  listCarrierAccounts,
  listCarrierNumbers,
  removeCarrierAccount,
} from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/carrier-accounts.ts`. */
export const carrierAccountHandlers: RestHandlers<typeof api.carrierAccounts> = {
  async list({ core, identity }) {
    return { status: 200, body: await listCarrierAccounts(core, identity) };
  },

  async create({ core, identity }, { body }) {
    const data = await addCarrierAccount(core, identity, body);
    return { status: 201, body: { message: 'Carrier account created successfully', data } };
  },

  async update({ core, identity }, { params, body }) {
    const data = await changeCarrierAccount(core, identity, { ...body, id: params.id });
    return { status: 200, body: { message: 'Carrier account updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await removeCarrierAccount(core, identity, params.id);
    return { status: 200, body: { message: 'Carrier account deleted successfully' } };
  },

  async connect({ core, identity }, { params, body }) {
    const {
      sip_address: sipAddress = null,
      inbound_calls: inboundCalls,
      outbound_calls: outboundCalls,
    } = body;
    const data = await connectCarrierAccount(core, identity, {
      id: params.id,
      sipAddress,
      inboundCalls,
      outboundCalls,
    });
    return { status: 200, body: { message: 'Carrier account connected successfully', data } };
  },

  async listNumbers({ core, identity }, { params }) {
    return { status: 200, body: await listCarrierNumbers(core, identity, params.id) };
  },

  async importNumbers({ core, identity }, { params, body }) {
    const data = await importCarrierNumbers(core, identity, { ...body, accountId: params.id });
    return { status: 201, body: { message: 'Phone numbers imported successfully', data } };
  },
};
