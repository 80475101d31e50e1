import type { CallStatus } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

/** @throws DomainError not-found, conflict when the call is over */
export async function requestHangUp(
  _ctx: CoreContext,
  _identity: Identity,
  _callId: number,
): Promise<{ callId: number; status: CallStatus }> {
  throw new Error('coming');
}

/** For `hang_up_call`: which voice process holds the call; null when there is nothing left to do. */
export async function findHangUpTarget(
  _ctx: CoreContext,
  _callId: number,
): Promise<{ url: string; reason: string } | null> {
  throw new Error('coming');
}
