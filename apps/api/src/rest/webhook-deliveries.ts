/** The log of webhooks and the secret that signs them, over REST. */
import { cursorAnswer, paginate, type api } from '@parley/contracts';
import {
  findDelivery,
  findWebhookSecret,
  listDeliveries,
  listDeliveriesAfter,
  requestResend,
  resendDelivery,
  rotateWebhookSecret,
} from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/webhook-deliveries.ts`. */
export const webhookDeliveryHandlers: RestHandlers<typeof api.webhookDeliveries> = {
  async list({ core, identity, url }, { query }) {
    const page = { page: query.page, perPage: query.per_page };
    const filters = {
      callId: query.call_id,
      status: query.status,
      event: query.event,
      endpointId: query.endpoint_id,
      dateFrom: query.date_from,
      dateTo: query.date_to,
    };
    if (query.cursor) {
      const { perPage } = page;
      const read = await listDeliveriesAfter(core, identity, { ...filters, perPage, ...query.cursor });
      return { status: 200, body: cursorAnswer(read, perPage) };
    }
    const found = await listDeliveries(core, identity, { ...filters, ...page });
    return { status: 200, body: paginate({ ...found, ...page, url }) };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findDelivery(core, identity, params.id) };
  },

  async resend({ core, identity }, { params }) {
    const data = await resendDelivery(core, identity, params.id);
    return { status: 200, body: { message: 'The webhook is being sent again', data } };
  },

  async resendMany({ core, identity }, { body }) {
    const { status, date_from: dateFrom, date_to: dateTo, event = null } = body;
    const count = await requestResend(core, identity, { status, dateFrom, dateTo, event });
    return { status: 200, body: { message: 'The webhooks are being sent again', data: { count } } };
  },
};

/** Handlers of the secret. */
export const webhookSecretHandlers: RestHandlers<typeof api.webhookSecrets> = {
  async get({ core, identity }) {
    return { status: 200, body: await findWebhookSecret(core, identity) };
  },

  async rotate({ core, identity }, { body }) {
    const data = await rotateWebhookSecret(core, identity, body.keep_old_for_hours);
    return { status: 200, body: { message: 'Webhook secret replaced successfully', data } };
  },
};
