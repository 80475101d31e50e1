/** The do-not-call list over REST. */
import { paginate, type api } from '@parley/contracts';
import { addToDoNotCallList, listDoNotCall, removeFromDoNotCallList } from '@parley/core';
import { doNotCallRecord } from '../do-not-call-record.ts';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/do-not-call.ts`. */
export const doNotCallHandlers: RestHandlers<typeof api.doNotCall> = {
  async list({ core, identity, url }, { query }) {
    const page = { page: query.page, perPage: query.per_page };
    const { rows, total } = await listDoNotCall(core, identity, { ...page, phoneNumber: query.phone_number });
    return { status: 200, body: paginate({ rows: rows.map(doNotCallRecord), total, ...page, url }) };
  },

  async add({ core, identity }, { body }) {
    const { phone_number: phoneNumber, reason } = body;
    const entry = await addToDoNotCallList(core, identity, { phoneNumber, reason: reason ?? undefined });
    return {
      status: 201,
      body: { message: 'Number added to the do-not-call list', data: doNotCallRecord(entry) },
    };
  },

  async remove({ core, identity }, { body }) {
    await removeFromDoNotCallList(core, identity, { phoneNumber: body.phone_number });
    return { status: 200, body: { message: 'Number removed from the do-not-call list' } };
  },
};
