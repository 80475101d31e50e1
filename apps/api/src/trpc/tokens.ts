/** The user's API tokens for the admin app, in the records of the public API. */
import { integer, newTokenBody, nullable } from '@parley/contracts';
import { issueToken, listTokens, revokeToken } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

/** Ten years; longer-lived tokens have no expiry. */
const MAX_DAYS = 3650;
const DAY_MS = 86_400_000;

/** Days instead of an instant: the server's clock counts them, for the browser's may be wrong. */
const newToken = newTokenBody.omit({ expires_at: true }).extend({
  /** Absent or null: it does not expire. */
  expires_in_days: nullable(integer({ minimum: 1, maximum: MAX_DAYS })).optional(),
});

/** `tokens.*`: the user's own. */
export const tokens = router({
  list: userProcedure.query(({ ctx }) => listTokens(ctx.core, ctx.session)),

  /** The only answer that ever has the token's text. */
  create: userProcedure.input(newToken).mutation(({ ctx, input }) => {
    const { expires_in_days: days, ...about } = input;
    const expires_at = days == null ? null : new Date(ctx.core.clock.now() + days * DAY_MS).toISOString();
    return issueToken(ctx.core, ctx.session, { ...about, expires_at });
  }),

  revoke: userProcedure.input(z.object({ id: z.int() })).mutation(async ({ ctx, input }) => {
    await revokeToken(ctx.core, ctx.session, input.id);
    return {};
  }),
});
