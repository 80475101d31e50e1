/** Webhooks for the admin app: the log of deliveries, sending again, test events, and the secret that signs them. */
import { deliveryEvents, deliveryStatuses, resendManyBody, rotateSecretBody } from '@parley/contracts';
import {
  findDelivery,
  findWebhookSecret,
  listDeliveries,
  requestResend,
  resendDelivery,
  rotateWebhookSecret,
  sendTestEvent,
} from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const MOST_PER_PAGE = 100;

const byId = z.object({ id: z.uuid() });

const deliveriesInput = z.object({
  call_id: z.int().optional(),
  status: z.enum(deliveryStatuses).optional(),
  event: z.enum(deliveryEvents).optional(),
  endpoint_id: z.int().optional(),
  date_from: z.iso.date().optional(),
  date_to: z.iso.date().optional(),
  page: z.int().positive(),
  per_page: z.int().positive().max(MOST_PER_PAGE),
});

/** `webhooks.*`: the user's own. */
export const webhooks = router({
  list: userProcedure.input(deliveriesInput).query(({ ctx, input }) =>
    listDeliveries(ctx.core, ctx.session, {
      callId: input.call_id,
      status: input.status,
      event: input.event,
      endpointId: input.endpoint_id,
      dateFrom: input.date_from,
      dateTo: input.date_to,
      page: input.page,
      perPage: input.per_page,
    }),
  ),

  get: userProcedure.input(byId).query(({ ctx, input }) => findDelivery(ctx.core, ctx.session, input.id)),

  resend: userProcedure
    .input(byId)
    .mutation(({ ctx, input }) => resendDelivery(ctx.core, ctx.session, input.id)),

  resendMany: userProcedure.input(resendManyBody).mutation(async ({ ctx, input }) => {
    const { status, date_from: dateFrom, date_to: dateTo, event = null } = input;
    return { count: await requestResend(ctx.core, ctx.session, { status, dateFrom, dateTo, event }) };
  }),

  sendTest: userProcedure
    .input(z.object({ assistant_id: z.int() }))
    .mutation(({ ctx, input }) => sendTestEvent(ctx.core, ctx.session, input.assistant_id)),

  secret: userProcedure.query(({ ctx }) => findWebhookSecret(ctx.core, ctx.session)),

  rotateSecret: userProcedure
    .input(rotateSecretBody)
    .mutation(({ ctx, input }) => rotateWebhookSecret(ctx.core, ctx.session, input.keep_old_for_hours)),
});
