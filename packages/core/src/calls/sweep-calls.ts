import type { CoreContext } from '../context.ts';

/** A call whose process died after the answer: its far end still waits for a BYE. */
export interface LostCall {
  callId: number;
  /** `StoredDialog` of telephony. */
  dialog: unknown;
  /** Where to ask for the BYE; null when no voice process is left. */
  endVia: { id: string; url: string } | null;
}

/** A process whose lease has run out; ask it before calling {@link sweepCalls} whether it still answers. */
export interface SilentProcess {
  id: string;
  url: string;
  epoch: number;
}

export async function findSilentProcesses(_ctx: CoreContext): Promise<SilentProcess[]> {
  throw new Error('coming');
}

export async function sweepCalls(
  _ctx: CoreContext,
  _input: { hasBeenReachableForMs: number; unreachable: readonly SilentProcess[] },
): Promise<LostCall[]> {
  throw new Error('coming');
}
