/** The do-not-call list over REST. */
import { paginate, type api } from '@parley/contracts';
import { addToDoNotCallList, exportDoNotCall, listDoNotCall, removeFromDoNotCallList } from '@parley/core';
import { DO_NOT_CALL_FILE, doNotCallRecord } from '../do-not-call-record.ts';
import { FileStream } from '../http/text-stream.ts';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/do-not-call.ts`. */
export const doNotCallHandlers: RestHandlers<typeof api.doNotCall> = {
  async list({ core, identity, url }, { query }) {
    const page = { page: query.page, perPage: query.per_page };
    const { rows, total } = await listDoNotCall(core, identity, { ...page, phoneNumber: query.phone_number });
    return { status: 200, body: paginate({ rows: rows.map(doNotCallRecord), total, ...page, url }) };
  },

  file: ({ core, identity }, { query }) => {
    const list = exportDoNotCall(core, identity, { phoneNumber: query.phone_number });
    return Promise.resolve({ status: 200, body: new FileStream(list, DO_NOT_CALL_FILE) });
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
