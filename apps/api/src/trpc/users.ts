/** All users, for the admin app. For operators: core refuses the others. */
import { newUserBody, userChangesBody } from '@parley/contracts';
import {
  changeUserAccount,
  inviteAgain,
  inviteUser,
  listUserAccounts,
  removeUser,
  resetSecondFactor,
  type CoreContext,
} from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const byId = z.object({ id: z.int() });

function linkOf(core: CoreContext, secret: string): string {
  return `${core.publicUrl ?? ''}/admin/sign-in/link/${secret}`;
}

/** `users.*`: the accounts of the installation. */
export const users = router({
  list: userProcedure.query(({ ctx }) => listUserAccounts(ctx.core, ctx.session)),

  /** The only answer that has the link. The new user has the time zone of the operator, and may change it. */
  invite: userProcedure
    .input(newUserBody.pick({ name: true, email: true, role: true }))
    .mutation(async ({ ctx, input }) => {
      const { timezone } = ctx.session;
      const { user, secret } = await inviteUser(ctx.core, ctx.session, { ...input, timezone });
      return { user, link: linkOf(ctx.core, secret) };
    }),

  inviteAgain: userProcedure.input(byId).mutation(async ({ ctx, input }) => ({
    link: linkOf(ctx.core, await inviteAgain(ctx.core, ctx.session, input.id)),
  })),

  setDisabled: userProcedure
    .input(userChangesBody.pick({ is_disabled: true }).required().extend(byId.shape))
    .mutation(({ ctx, input }) => changeUserAccount(ctx.core, ctx.session, input)),

  setAttemptLimits: userProcedure
    .input(
      userChangesBody
        .pick({ max_attempts_per_number_per_day: true, max_attempts_per_number_per_week: true })
        .required()
        .extend(byId.shape),
    )
    .mutation(({ ctx, input }) => changeUserAccount(ctx.core, ctx.session, input)),

  setDialLimits: userProcedure
    .input(
      userChangesBody
        .pick({
          max_calls_per_second: true,
          max_calls_per_day: true,
          max_cost_per_day: true,
          limit_webhook_url: true,
        })
        .required()
        .extend(byId.shape),
    )
    .mutation(({ ctx, input }) => changeUserAccount(ctx.core, ctx.session, input)),

  resetSecondFactor: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await resetSecondFactor(ctx.core, ctx.session, input.id);
    return {};
  }),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await removeUser(ctx.core, ctx.session, input.id);
    return {};
  }),

  changeRole: userProcedure
    .input(userChangesBody.pick({ role: true }).required().extend(byId.shape))
    .mutation(({ ctx, input }) => changeUserAccount(ctx.core, ctx.session, input)),
});
