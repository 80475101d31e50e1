/**
 * Which line a call goes out on, and which number it shows. The assistant's own number decides; without one the user's
 * trunks come before the shared ones, and real lines before the test phones. A line that reaches only fictional numbers
 * never gets another one, so that a fresh installation cannot dial anybody.
 */

/** A trunk the user may use. */
export interface RouteTrunk {
  id: number;
  /** Null: shared by everybody. */
  userId: number | null;
  reach: 'fictional' | 'any';
  isTest: boolean;
  /** Shown when the user has no number on this trunk. */
  callerNumber: string | null;
}

/** A number the user owns. */
export interface RouteNumber {
  id: number;
  trunkId: number;
  phoneNumber: string;
}

/** Who is to be called, and what could carry the call. */
export interface RouteRequest {
  /** E.164. */
  to: string;
  /** The number assigned to the assistant. */
  assistantNumberId: number | null;
  trunks: readonly RouteTrunk[];
  numbers: readonly RouteNumber[];
}

/** The line that carries the call. */
export interface Route {
  trunkId: number;
  /** E.164; empty where the trunk has no number at all. */
  callerNumber: string;
}

/** North America's numbers that are kept free for fiction: NPA-555-0100 to NPA-555-0199. */
const FICTIONAL = /^\+1[2-9]\d{2}55501\d{2}$/;

/** @returns null when no line can reach the number */
export function routeCall(request: RouteRequest): Route | null {
  const { to, trunks, numbers } = request;
  const assigned = numbers.find((number) => number.id === request.assistantNumberId);
  const trunk = trunks
    .filter(({ reach }) => reach === 'any' || FICTIONAL.test(to))
    .toSorted((a, b) => rank(a, assigned) - rank(b, assigned) || a.id - b.id)[0];
  if (!trunk) return null;
  const own =
    assigned?.trunkId === trunk.id ? assigned : numbers.find((number) => number.trunkId === trunk.id);
  return { trunkId: trunk.id, callerNumber: own?.phoneNumber ?? trunk.callerNumber ?? '' };
}

/** The lower, the better. */
function rank(trunk: RouteTrunk, assigned: RouteNumber | undefined): number {
  if (trunk.id === assigned?.trunkId) return 0;
  if (trunk.isTest) return 3;
  return trunk.userId === null ? 2 : 1;
}
