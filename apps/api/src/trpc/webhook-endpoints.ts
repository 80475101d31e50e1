/** Webhook endpoints for the admin app. */
import { endpointChangesBody, newEndpointBody, rotateSecretBody } from '@parley/contracts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateEndpointSecret,
  testEndpoint,
} from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const byId = z.object({ id: z.int() });

/** `webhookEndpoints.*`: the user's own. */
export const webhookEndpoints = router({
  list: userProcedure.query(({ ctx }) => listEndpoints(ctx.core, ctx.session)),

  create: userProcedure
    .input(newEndpointBody)
    .mutation(({ ctx, input }) => createEndpoint(ctx.core, ctx.session, input)),

  update: userProcedure.input(endpointChangesBody.extend(byId.shape)).mutation(({ ctx, input }) => {
    const { id, ...changes } = input;
    return changeEndpoint(ctx.core, ctx.session, { id, changes });
  }),

  remove: userProcedure
    .input(byId)
    .mutation(({ ctx, input }) => deleteEndpoint(ctx.core, ctx.session, input.id)),

  rotateSecret: userProcedure.input(rotateSecretBody.extend(byId.shape)).mutation(({ ctx, input }) =>
    rotateEndpointSecret(ctx.core, ctx.session, {
      id: input.id,
      keepOldForHours: input.keep_old_for_hours,
    }),
  ),

  test: userProcedure.input(byId).mutation(({ ctx, input }) => testEndpoint(ctx.core, ctx.session, input.id)),
});
