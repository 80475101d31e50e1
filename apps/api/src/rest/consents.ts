/** Records of consent over REST. */
import { paginate, type api } from '@parley/contracts';
import { listConsents, recordConsent, removeConsent } from '@parley/core';
import { consentRecord } from '../consent-record.ts';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/consents.ts`. */
export const consentHandlers: RestHandlers<typeof api.consents> = {
  async list({ core, identity, url }, { query }) {
    const page = { page: query.page, perPage: query.per_page };
    const { rows, total } = await listConsents(core, identity, { ...page, phoneNumber: query.phone_number });
    return { status: 200, body: paginate({ rows: rows.map(consentRecord), total, ...page, url }) };
  },

  async add({ core, identity }, { body }) {
    const { phone_number: phoneNumber, source, text, consented_at: at } = body;
    const entry = await recordConsent(core, identity, {
      phoneNumber,
      source,
      text: text ?? undefined,
      consentedAt: at === undefined ? undefined : new Date(at),
    });
    return { status: 201, body: { message: 'Consent recorded', data: consentRecord(entry) } };
  },

  async remove({ core, identity }, { body }) {
    await removeConsent(core, identity, { phoneNumber: body.phone_number });
    return { status: 200, body: { message: 'Consent removed' } };
  },
};
