/** Checks the second factor of a user who has given the right password or link. */
import { errorText } from '@parley/contracts';
import type { Transaction, UserRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { redeemRecoveryCode } from './recovery-codes.ts';
import { isTotpCode, stepOfCode } from './totp.ts';

const MISSING = 'Enter the code from your authenticator app.';
/** The fault of a code that does not match. */
export const WRONG_CODE = 'This code is wrong, has expired or was used already.';

/**
 * Uses the code up, with the commit of the transaction. The attempt must be counted before it (`countCodeAttempt`).
 *
 * @param user - locked, so that of concurrent attempts with the same code one succeeds
 * @param code - of the authenticator app, or a recovery code; not needed while the second factor is off
 * @throws DomainError `invalid` for the field `code` when it is missing or wrong
 */
export async function requireSecondFactor(
  ctx: CoreContext,
  tx: Transaction,
  user: UserRow,
  code: string | undefined,
): Promise<void> {
  if (user.totpEnabledAt === null) return;
  const text = plainCode(code ?? '');
  if (text === '') throw codeFault(MISSING);
  const isRight = isTotpCode(text)
    ? redeemTotpCode(ctx, user, text)
    : await redeemRecoveryCode(tx, user.id, text);
  if (!isRight) throw codeFault(WRONG_CODE);
}

/**
 * RFC 6238, section 5.2: "The verifier MUST NOT accept the second attempt of the OTP after the successful validation has been
 * issued for the first OTP". Codes of earlier steps are refused as well.
 *
 * @param user - locked
 */
export function redeemTotpCode(ctx: CoreContext, user: UserRow, code: string): boolean {
  if (user.totpSecretSealed === null) return false;
  const step = stepOfCode(ctx.secretBox.open(user.totpSecretSealed), plainCode(code), ctx.clock.now());
  if (step === null || (user.totpLastStep !== null && step <= user.totpLastStep)) return false;
  user.totpLastStep = step;
  return true;
}

/** The error of a field `code`. */
export function codeFault(message: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: { code: [message] } });
}

/** People type codes in groups. */
function plainCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase();
}
