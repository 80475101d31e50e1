/** Ends a call at Twilio, in any state. */
import { CarrierAccount } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { CarrierCallRef } from '../jobs/end-carrier-call-soon.ts';
import { credentialsOf, withTwilio } from './open-carrier.ts';
import { endCall } from './wire/twilio-calls.ts';

/** Harmless for a call that is over, and when the account was removed. @throws CarrierError, so that the queue repeats it */
export async function endCarrierCall(
  ctx: CoreContext,
  { carrierAccountId, carrierCallId }: CarrierCallRef,
): Promise<void> {
  const account = await ctx.db.em.findOne(CarrierAccount, { id: carrierAccountId });
  if (!account) return;
  await withTwilio(ctx, credentialsOf(ctx, account), (access) => endCall(access, carrierCallId));
}
