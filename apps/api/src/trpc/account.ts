/** The own account in the admin app: password, second factor, signed-in browsers, time zone, announcement of listening. */
import { userChangesBody } from '@parley/contracts';
import {
  beginSecondFactor,
  changeAnnouncedListening,
  changeOwnTimeZone,
  changePassword,
  confirmSecondFactor,
  disableSecondFactor,
  endOtherSessions,
  endSession,
  findAnnouncedListening,
  listSessions,
  readPasswordState,
  readSecondFactor,
} from '@parley/core';
import { z } from 'zod';
import { router, userCredentialProcedure, userProcedure } from './procedures.ts';

/** More than any real password has. */
const password = z.string().max(1000);
const code = z.string().max(1000);

/** `account.*`: the user's own. */
export const account = router({
  password: userProcedure.query(({ ctx }) => readPasswordState(ctx.core, ctx.session)),

  changePassword: userCredentialProcedure
    .input(z.object({ current_password: password, new_password: password }))
    .mutation(async ({ ctx, input }) => {
      const { networkAddress } = ctx;
      await changePassword(ctx.core, ctx.session, { ...input, networkAddress });
      return {};
    }),

  secondFactor: userProcedure.query(({ ctx }) => readSecondFactor(ctx.core, ctx.session)),

  /** The only answer that has the secret. */
  beginSecondFactor: userCredentialProcedure
    .input(z.object({ current_password: password }))
    .mutation(({ ctx, input }) => {
      const { networkAddress } = ctx;
      return beginSecondFactor(ctx.core, ctx.session, { ...input, networkAddress });
    }),

  /** The only answer that has the recovery codes. */
  confirmSecondFactor: userCredentialProcedure.input(z.object({ code })).mutation(async ({ ctx, input }) => ({
    recovery_codes: await confirmSecondFactor(ctx.core, ctx.session, input.code),
  })),

  disableSecondFactor: userCredentialProcedure
    .input(z.object({ current_password: password, code }))
    .mutation(async ({ ctx, input }) => {
      const { networkAddress } = ctx;
      await disableSecondFactor(ctx.core, ctx.session, { ...input, networkAddress });
      return {};
    }),

  announcesListening: userProcedure.query(({ ctx }) => findAnnouncedListening(ctx.core, ctx.session)),

  announceListening: userProcedure
    .input(z.object({ is_announced: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      await changeAnnouncedListening(ctx.core, ctx.session, input.is_announced);
      return {};
    }),

  changeTimeZone: userProcedure
    .input(userChangesBody.pick({ timezone: true }).required())
    .mutation(async ({ ctx, input }) => {
      await changeOwnTimeZone(ctx.core, ctx.session, input.timezone);
      return {};
    }),

  sessions: userProcedure.query(({ ctx }) => listSessions(ctx.core, ctx.session)),

  endSession: userProcedure.input(z.object({ id: z.uuid() })).mutation(async ({ ctx, input }) => {
    await endSession(ctx.core, ctx.session, input.id);
    return {};
  }),

  endOtherSessions: userProcedure.mutation(async ({ ctx }) => {
    await endOtherSessions(ctx.core, ctx.session);
    return {};
  }),
});
