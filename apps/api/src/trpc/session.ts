/** Signing in and out of the admin app. */
import { DomainError, redeemSignInLink, signIn, signOut, type PublicUser, type SignedIn } from '@parley/core';
import { z } from 'zod';
import type { TrpcContext } from './context.ts';
import { credentialProcedure, openProcedure, router } from './procedures.ts';

/** More than any real password or address has. */
const MAX_LENGTH = 1000;

const text = z.string().max(MAX_LENGTH);
/** The code of the second factor. Where one is needed and missing, an error for the field `code` asks for it. */
const code = text.optional();

function enter(ctx: TrpcContext, signedIn: SignedIn): PublicUser {
  ctx.setCookie({ value: signedIn.cookie, expiresAt: signedIn.expiresAt });
  return signedIn.user;
}

const originOf = ({ networkAddress, userAgent }: TrpcContext) => ({ networkAddress, userAgent });

/** `session.*`: public, because it creates sessions. */
export const session = router({
  /** The signed-in user; null without a session. */
  me: openProcedure.query(({ ctx }): PublicUser | null => ctx.session?.user ?? null),

  // Core adds the entries of the audit log, also those of refused attempts.
  signIn: credentialProcedure
    .meta({ isAudited: false })
    .input(z.object({ email: text, password: text, code }))
    .mutation(async ({ ctx, input, signal }) => {
      const signedIn = await signIn(ctx.core, { ...input, ...originOf(ctx) }, signal);
      if (!signedIn) throw new DomainError('unauthenticated', 'The e-mail address or the password is wrong.');
      return enter(ctx, signedIn);
    }),

  redeemLink: credentialProcedure
    .meta({ isAudited: false })
    .input(z.object({ secret: text, code }))
    .mutation(async ({ ctx, input }) => {
      const from = { ...originOf(ctx), code: input.code };
      const signedIn = await redeemSignInLink(ctx.core, input.secret, from);
      if (!signedIn) throw new DomainError('not-found', 'This sign-in link was used already or is too old.');
      return enter(ctx, signedIn);
    }),

  signOut: openProcedure.mutation(async ({ ctx }) => {
    if (ctx.cookie !== null) await signOut(ctx.core, ctx.cookie);
    ctx.setCookie(null);
    return {};
  }),
});
