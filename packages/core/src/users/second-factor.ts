/**
 * The optional second factor of the requesting user: codes of an authenticator app (RFC 6238), and recovery codes. It protects
 * signing in to the admin app; API tokens need no code.
 */
import { RecoveryCode, User, type Transaction, type UserRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { endAllSessions, lockUser } from './end-sessions.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { requirePassword, requireSamePassword, type GivenPassword } from './require-password.ts';
import { codeFault, redeemTotpCode, requireSecondFactor, WRONG_CODE } from './require-second-factor.ts';
import type { FoundSession } from './session.ts';
import { countCodeAttempt, forgetCodeAttempts } from './sign-in-limit.ts';
import { makeTotpSecret, totpAddress } from './totp.ts';

/** Whether the second factor is on. */
export interface SecondFactorState {
  is_enabled: boolean;
  recovery_codes_left: number;
}

/** What the authenticator app has to store. It is shown only once. */
export interface NewSecondFactor {
  /** Base32, for typing. */
  secret: string;
  /** An `otpauth:` address, for a QR code. */
  address: string;
}

/** The state of the requesting user's second factor. */
export async function readSecondFactor(ctx: CoreContext, session: FoundSession): Promise<SecondFactorState> {
  const { userId } = session;
  const isEnabled = await ctx.db.em.count(User, { id: userId, totpEnabledAt: { $ne: null } });
  return {
    is_enabled: isEnabled > 0,
    recovery_codes_left: await ctx.db.em.count(RecoveryCode, { userId }),
  };
}

/**
 * Makes a secret that has no effect until {@link confirmSecondFactor}. A repetition replaces it.
 *
 * @throws DomainError `invalid` for a wrong password, `too-many` when the attempts of a limit are used up, `conflict` when the
 *   second factor is on already or the password was changed at the same time
 */
export async function beginSecondFactor(
  ctx: CoreContext,
  session: FoundSession,
  input: GivenPassword,
): Promise<NewSecondFactor> {
  const passwordHash = await requirePassword(ctx, session, input);
  const secret = makeTotpSecret();
  await ctx.db.transaction(async (tx) => {
    const user = await lockedWithout(tx, session);
    requireSamePassword(user.passwordHash, passwordHash);
    user.totpSecretSealed = ctx.secretBox.seal(secret);
    user.totpLastStep = null;
  });
  return { secret, address: totpAddress(secret, session.user.email) };
}

/**
 * Switches the second factor on with a first code, and ends all other sessions of the user and the unused sign-in links.
 *
 * @returns the recovery codes, which are shown only once
 * @throws DomainError `invalid` for a wrong code, `too-many` after many of them, `conflict` when the second factor is on already
 */
export async function confirmSecondFactor(
  ctx: CoreContext,
  session: FoundSession,
  code: string,
): Promise<string[]> {
  await countCodeAttempt(ctx, session.userId);
  const codes = await ctx.db.transaction(async (tx) => {
    const user = await lockedWithout(tx, session);
    if (!redeemTotpCode(ctx, user, code)) throw codeFault(WRONG_CODE);
    user.totpEnabledAt = now(ctx);
    await endAllSessions(tx, user.id, session.signInId);
    return replaceRecoveryCodes(tx, user.id);
  });
  await forgetCodeAttempts(ctx, session.userId);
  return codes;
}

/**
 * Idempotent.
 *
 * @throws DomainError `invalid` for a wrong password or code, `too-many` when the attempts of a limit are used up, `conflict`
 *   when the password was changed at the same time
 */
export async function disableSecondFactor(
  ctx: CoreContext,
  session: FoundSession,
  input: GivenPassword & { code: string },
): Promise<void> {
  const passwordHash = await requirePassword(ctx, session, input);
  await countCodeAttempt(ctx, session.userId);
  await ctx.db.transaction(async (tx) => {
    const user = await lockedUser(tx, session.userId);
    requireSamePassword(user.passwordHash, passwordHash);
    await requireSecondFactor(ctx, tx, user, input.code);
    await removeSecondFactor(tx, user);
  });
  await forgetCodeAttempts(ctx, session.userId);
}

/**
 * Removes the second factor of a user who has lost both the phone and the recovery codes. Ends the sessions of the user, which
 * may be in other hands, and the unused sign-in links, which would need no code any more. Idempotent.
 *
 * @throws DomainError `not-found`
 */
export async function clearSecondFactor(ctx: CoreContext, userId: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const user = await lockedUser(tx, userId);
    const wasEnabled = user.totpEnabledAt !== null;
    await removeSecondFactor(tx, user);
    if (wasEnabled) await endAllSessions(tx, userId);
  });
}

/** @throws DomainError `not-found` */
async function lockedUser(tx: Transaction, userId: number): Promise<UserRow> {
  const user = await lockUser(tx, userId);
  if (!user) throw new DomainError('not-found', 'User not found');
  return user;
}

/** @throws DomainError `conflict` when the second factor is on */
async function lockedWithout(tx: Transaction, { userId }: FoundSession): Promise<UserRow> {
  const user = await lockedUser(tx, userId);
  if (user.totpEnabledAt !== null) throw new DomainError('conflict', 'The second factor is on already.');
  return user;
}

async function removeSecondFactor({ em }: Transaction, user: UserRow): Promise<void> {
  user.totpSecretSealed = null;
  user.totpEnabledAt = null;
  user.totpLastStep = null;
  await em.nativeDelete(RecoveryCode, { userId: user.id });
}
