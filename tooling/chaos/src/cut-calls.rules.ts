/** Calls that a fault of ours has ended, or has kept from being dialed. */
import type { StoredCall } from './oracle.rules.ts';

const CUT = new Set(['shutdown', 'process_lost', 'line_lost', 'internal_error', 'no_capacity']);

/** The calls whose end reason says that we ended them. */
export function cutCalls(calls: readonly StoredCall[]): StoredCall[] {
  return calls.filter(({ endedReason }) => CUT.has(endedReason ?? ''));
}
