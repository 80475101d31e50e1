/** Accounts at carriers for the admin app, in the records of the public API. */
import {
  carrierAccountChangesBody,
  connectCarrierBody,
  importNumbersBody,
  newCarrierAccountBody,
} from '@parley/contracts';
import {
  addCarrierAccount,
  changeCarrierAccount,
  connectCarrierAccount,
  importCarrierNumbers,
  listCarrierAccounts,
  listCarrierNumbers,
  removeCarrierAccount,
} from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const byId = z.object({ id: z.int() });

/** `carrierAccounts.*`: the user's own and the shared ones. */
export const carrierAccounts = router({
  list: userProcedure.query(({ ctx }) => listCarrierAccounts(ctx.core, ctx.session)),

  create: userProcedure
    .input(newCarrierAccountBody)
    .mutation(({ ctx, input }) => addCarrierAccount(ctx.core, ctx.session, input)),

  update: userProcedure
    .input(carrierAccountChangesBody.extend(byId.shape))
    .mutation(({ ctx, input }) => changeCarrierAccount(ctx.core, ctx.session, input)),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await removeCarrierAccount(ctx.core, ctx.session, input.id);
    return {};
  }),

  connect: userProcedure
    .input(connectCarrierBody.extend(byId.shape))
    .mutation(
      ({
        ctx,
        input: {
          id,
          sip_address: sipAddress = null,
          inbound_calls: inboundCalls,
          outbound_calls: outboundCalls,
        },
      }) => connectCarrierAccount(ctx.core, ctx.session, { id, sipAddress, inboundCalls, outboundCalls }),
    ),

  listNumbers: userProcedure
    .input(byId)
    .query(({ ctx, input }) => listCarrierNumbers(ctx.core, ctx.session, input.id)),

  importNumbers: userProcedure
    .input(importNumbersBody.extend(byId.shape))
    .mutation(({ ctx, input: { id, ...numbers } }) =>
      importCarrierNumbers(ctx.core, ctx.session, { ...numbers, accountId: id }),
    ),
});
