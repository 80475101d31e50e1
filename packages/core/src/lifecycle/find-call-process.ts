/** Which voice process carries a live call, for requests about its conversation. */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { findCallKey } from '../calls/read-call-events.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';

const selectProcess = statement<{ url: string }>(
  'process_of_live_call',
  `select p.url from live_calls l join voice_processes p on p.id = l.voice_process_id where l.call_id = $1`,
);

/** @returns the address, or null if no process carries the call */
export async function findCallProcess(ctx: CoreContext, callId: number): Promise<string | null> {
  const [process] = await ctx.db.query(selectProcess, [callId]);
  return process?.url ?? null;
}

/** @throws DomainError `not-found`, also for another user's call; `conflict` when no process carries the call */
export async function requireCallProcess(
  ctx: CoreContext,
  identity: Identity,
  callId: number,
): Promise<string> {
  await findCallKey(ctx, identity, callId);
  const url = await findCallProcess(ctx, callId);
  if (url === null) throw new DomainError('conflict', 'The call is not in progress.');
  return url;
}
