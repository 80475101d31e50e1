/** The time zone of an account: days of the overview and local date-times of the API are in it. */
import { User } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from './identity.ts';

/** Applies from the next request on. @param timezone - an IANA name, as the contract accepts it */
export async function changeOwnTimeZone(
  ctx: CoreContext,
  { userId }: Identity,
  timezone: string,
): Promise<void> {
  await ctx.db.transaction((tx) => tx.em.nativeUpdate(User, { id: userId }, { timezone }));
}
