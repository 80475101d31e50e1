/** Whether the customers of an account are told when a supervisor listens in to their call. */
import { User } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from './identity.ts';

/** The setting of the account. */
export async function findAnnouncedListening(ctx: CoreContext, { userId }: Identity): Promise<boolean> {
  const { announcesListening } = await ctx.db.em.findOneOrFail(User, { id: userId });
  return announcesListening;
}

/** Applies from the next supervisor on. */
export async function changeAnnouncedListening(
  ctx: CoreContext,
  { userId }: Identity,
  announcesListening: boolean,
): Promise<void> {
  await ctx.db.transaction((tx) => tx.em.nativeUpdate(User, { id: userId }, { announcesListening }));
}
