/** SIP trunks over REST. */
import type { api } from '@parley/contracts';
import {
  addTrunkWithNumber,
  changeTrunkInEitherTerms,
  findTrunk,
  listTrunks,
  removeTrunk,
} from '@parley/core';
import type { DiagnoseTrunk } from '../diagnose-trunk.ts';
import type { RestHandlers } from './handlers.ts';

type Handlers = RestHandlers<typeof api.sipTrunks>;

/** Handlers of `contracts/sip-trunks.ts`. */
export function createSipTrunkHandlers(diagnose: DiagnoseTrunk): Handlers {
  return {
    ...handlers,
    async diagnose({ core, identity }, { params, body }) {
      const about = { trunkId: params.id, callId: body.call_id ?? null };
      const data = await diagnose(core, identity, about);
      return { status: 200, body: { message: 'SIP trunk diagnosed', data } };
    },
  };
}

const handlers: Omit<Handlers, 'diagnose'> = {
  async list({ core, identity }) {
    return { status: 200, body: await listTrunks(core, identity) };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findTrunk(core, identity, params.id) };
  },

  async create({ core, identity }, { body }) {
    const data = await addTrunkWithNumber(core, identity, body);
    return { status: 201, body: { message: 'SIP trunk created successfully', data } };
  },

  async update({ core, identity }, { params, body }) {
    const data = await changeTrunkInEitherTerms(core, identity, { ...body, id: params.id });
    return { status: 200, body: { message: 'SIP trunk updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await removeTrunk(core, identity, params.id);
    return { status: 200, body: { message: 'SIP trunk deleted successfully' } };
  },
};
