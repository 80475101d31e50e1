/** Text messages over REST. */
import type { api } from '@parley/contracts';
import { findSms, sendSms } from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/sms.ts`. */
export const smsHandlers: RestHandlers<typeof api.sms> = {
  async send({ core, identity }, { body }) {
    const data = await sendSms(core, identity, body);
    return { status: 200, body: { message: 'SMS sent successfully', data } };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findSms(core, identity, params.id) };
  },
};
