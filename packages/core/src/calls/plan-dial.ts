import type { CoreContext } from '../context.ts';

export type DialPlan =
  | { do: 'nothing'; why: string }
  | { do: 'hand-over'; callId: number; createdAt: Date; process: { id: string; url: string; epoch: number } }
  | { do: 'wait'; why: string };

export async function planDial(_ctx: CoreContext, _callId: number): Promise<DialPlan> {
  throw new Error('coming');
}

/** After a 503: the intent is taken back, unless the INVITE has left meanwhile. */
export async function releaseIntent(_ctx: CoreContext, _callId: number, _processId: string): Promise<void> {
  throw new Error('coming');
}
