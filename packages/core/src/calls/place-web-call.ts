import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

/** `ticket` is single-use and good for 60 s. */
export async function placeWebCall(
  _ctx: CoreContext,
  _identity: Identity,
  _input: { assistantId: number; variables?: Record<string, unknown> | undefined },
): Promise<{ callId: number; ticket: string }> {
  throw new Error('coming');
}
