/** Answers to a REFER (RFC 3515 section 2.4.2), and to what its party has answered. */
import type { ReferralRefusal } from '@parley/core';

/** Why a REFER was refused by this process. */
export type ReferralObstacle = ReferralRefusal | 'other_host' | 'unreachable' | 'busy' | 'internal_error';

/** They end by themselves: the far end may try again (RFC 3261 section 21.5.4). */
const TEMPORARY: ReadonlySet<ReferralObstacle> = new Set([
  'account_calls',
  'trunk_calls',
  'trunk_rate',
  'trunk_paused',
  'daily_limit',
  'too_late',
  'unreachable',
  'internal_error',
] as const);

/** The status that refuses the REFER: 403 where asking again is useless. */
export function statusOfRefusal(reason: ReferralObstacle): number {
  if (TEMPORARY.has(reason)) return 503;
  if (reason === 'in_call') return 486;
  return reason === 'busy' || reason === 'over' ? 603 : 403;
}

/** The word of the timeline for a party that was not connected. */
export function reasonOfStatus(sipStatus: number): string {
  if (sipStatus === 486 || sipStatus === 600) return 'busy';
  return [408, 480, 487].includes(sipStatus) ? 'no_answer' : 'rejected';
}

/** Whom a far end names, and the hosts of its trunk. */
export interface NamedParty {
  /** Null: a `tel:` URI. */
  host: string | null;
  ownHosts: readonly string[];
  trunkHosts: readonly string[];
}

/** Whether the party is at the trunk of the call, to which the INVITE goes in any case. */
export function isAtTrunk({ host, ownHosts, trunkHosts }: NamedParty): boolean {
  return host === null || ownHosts.includes(host) || trunkHosts.some((one) => one.toLowerCase() === host);
}
