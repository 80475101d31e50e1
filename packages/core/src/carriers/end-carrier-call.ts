/** Ends a call at its carrier, in any state. */
import { CarrierAccount } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { CarrierCallRef } from '../jobs/end-carrier-call-soon.ts';
import { withCarrierCalls } from './open-carrier.ts';

/** Harmless for a call that is over, and when the account was removed. @throws CarrierError, so that the queue repeats it */
export async function endCarrierCall(
  ctx: CoreContext,
  { carrierAccountId, carrierCallId }: CarrierCallRef,
): Promise<void> {
  const account = await ctx.db.em.findOne(CarrierAccount, { id: carrierAccountId });
  if (!account) return;
  await withCarrierCalls(ctx, account, (calls) => calls.end(carrierCallId));
}
