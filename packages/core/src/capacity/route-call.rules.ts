/**
 * Selects the trunk and the caller number of a call. The trunk of the assistant's number comes first, then the user's
 * own trunks, then shared ones, then test trunks; among equals the one with the smallest priority, then the cheapest. Trunks that cannot take another call now are skipped. A trunk whose
 * reach is `fictional` never carries a call to a real number, so that a fresh installation cannot dial anyone.
 */

import type { DestinationRefusal } from './destination.rules.ts';

/** Why no trunk carries a call: none reaches the number, or those that do are full, at their rate limit, or paused. */
export type TrunkHoldReason = 'no_line' | 'trunk_calls' | 'trunk_rate' | 'trunk_paused' | 'daily_limit';

/** Why a trunk takes no call now. */
export interface TrunkHold {
  reason: TrunkHoldReason;
  /** Null: until a call ends or a trunk is changed. */
  until: Date | null;
  /** Null: no trunk could carry the call. */
  trunkId: number | null;
}

/** A trunk the user may use. */
export interface RouteTrunk {
  id: number;
  /** Null: shared by all users. */
  userId: number | null;
  reach: 'fictional' | 'any';
  isTest: boolean;
  /** A smaller one is preferred. */
  priority: number;
  /** Null: unknown, and worse than any price. */
  pricePerMinute: number | null;
  /** Shown when the user has no number on this trunk. */
  callerNumber: string | null;
  /** Null: the trunk takes another call. */
  hold: TrunkHold | null;
}

/** A number the user owns. */
export interface RouteNumber {
  id: number;
  trunkId: number;
  phoneNumber: string;
}

/** The number to be called, and the trunks and caller numbers to select from. */
export interface RouteRequest {
  /** E.164. */
  to: string;
  /** Why no trunk that leads to a carrier may dial it; null: it may. */
  refusal: DestinationRefusal | null;
  /** The number assigned to the assistant. */
  assistantNumberId: number | null;
  trunks: readonly RouteTrunk[];
  numbers: readonly RouteNumber[];
}

/** The trunk that carries the call, and the number that it shows. */
export interface Route {
  trunkId: number;
  /** E.164; empty when the trunk has no number. */
  callerNumber: string;
}

/** A route, the reason why there is none now, or the reason why the number must never be dialed. */
export type Routing = { route: Route } | { hold: TrunkHold } | { refusal: DestinationRefusal };

/** Numbers reserved for fiction in North America: NPA-555-0100 to NPA-555-0199. */
const FICTIONAL = /^\+1[2-9]\d{2}55501\d{2}$/;

/** Whether the trunk can reach the number at all. */
export function canReach({ reach }: Pick<RouteTrunk, 'reach'>, to: string): boolean {
  return reach === 'any' || FICTIONAL.test(to);
}

/** A trunk for fictional numbers reaches no carrier, so that its calls cost nothing. */
export function isHarmless({ reach }: Pick<RouteTrunk, 'reach'>): boolean {
  return reach === 'fictional';
}

/** When no trunk takes the call now, the result is the hold of the preferred one. */
export function routeCall(request: RouteRequest): Routing {
  const { to, refusal, trunks, numbers } = request;
  const assigned = numbers.find((number) => number.id === request.assistantNumberId);
  const reaching = trunks.filter((trunk) => canReach(trunk, to));
  const choices = reaching
    .filter((trunk) => refusal === null || isHarmless(trunk))
    .toSorted((a, b) => rank(a, assigned) - rank(b, assigned) || byPreference(a, b));
  if (refusal !== null && choices.length === 0 && reaching.length > 0) return { refusal };
  const trunk = choices.find(({ hold }) => hold === null);
  if (!trunk) return { hold: choices[0]?.hold ?? { reason: 'no_line', until: null, trunkId: null } };
  const own =
    assigned?.trunkId === trunk.id ? assigned : numbers.find((number) => number.trunkId === trunk.id);
  return { route: { trunkId: trunk.id, callerNumber: own?.phoneNumber ?? trunk.callerNumber ?? '' } };
}

function byPreference(a: RouteTrunk, b: RouteTrunk): number {
  const price = (trunk: RouteTrunk): number => trunk.pricePerMinute ?? Number.MAX_VALUE;
  return a.priority - b.priority || price(a) - price(b) || a.id - b.id;
}

/** A lower rank is preferred. */
function rank(trunk: RouteTrunk, assigned: RouteNumber | undefined): number {
  if (trunk.id === assigned?.trunkId) return 0;
  if (trunk.isTest) return 3;
  return trunk.userId === null ? 2 : 1;
}
