import type { CallStatus } from '@parley/contracts';
import type { CoreContext } from '../context.ts';

/** @returns the status the call has now; `completed` unless it was something final before */
export async function completeCall(
  _ctx: CoreContext,
  _callId: number,
  _outcome?: { evaluation?: Record<string, unknown>; note?: string },
): Promise<CallStatus> {
  throw new Error('coming');
}
