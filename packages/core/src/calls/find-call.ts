import type { CallDetail } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

/** @throws DomainError not-found */
export async function findCall(_ctx: CoreContext, _identity: Identity, _callId: number): Promise<CallDetail> {
  throw new Error('coming');
}
