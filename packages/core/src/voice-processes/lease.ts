import type { CoreContext } from '../context.ts';

/** Who writes about a call: a voice process and the epoch of its lease. */
export interface VoiceFence {
  processId: string;
  epoch: number;
}

/** How long a lease holds, milliseconds. */
export const LEASE_MS = 10_000;
/** How often a voice process renews it, milliseconds. */
export const LEASE_RENEWAL_MS = 2_000;

export async function registerVoiceProcess(
  _ctx: CoreContext,
  _input: { url: string; sipAddress: string; capacity: number },
): Promise<{ id: string; epoch: number }> {
  throw new Error('coming');
}

/** @returns false when the process was fenced: it must end its calls silently and register again */
export async function renewLease(
  _ctx: CoreContext,
  _input: { id: string; epoch: number; activeCalls: number; isDraining: boolean },
): Promise<boolean> {
  throw new Error('coming');
}

/** On a clean stop, after the last call has ended. */
export async function dropVoiceProcess(_ctx: CoreContext, _id: string): Promise<void> {
  throw new Error('coming');
}
