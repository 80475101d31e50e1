/** SIP trunks over REST. */
import type { api } from '@parley/contracts';
import { addTrunk, changeTrunk, listTrunks, removeTrunk } from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/sip-trunks.ts`. */
export const sipTrunkHandlers: RestHandlers<typeof api.sipTrunks> = {
  async list({ core, identity }) {
    return { status: 200, body: await listTrunks(core, identity) };
  },

  async create({ core, identity }, { body }) {
    const data = await addTrunk(core, identity, body);
    return { status: 201, body: { message: 'SIP trunk created successfully', data } };
  },

  async update({ core, identity }, { params, body }) {
    const data = await changeTrunk(core, identity, { ...body, id: params.id });
    return { status: 200, body: { message: 'SIP trunk updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await removeTrunk(core, identity, params.id);
    return { status: 200, body: { message: 'SIP trunk deleted successfully' } };
  },
};
