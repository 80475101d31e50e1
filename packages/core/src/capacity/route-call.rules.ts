/**
 * Which line a call goes out on, and which number it shows. The assistant's own number decides; without one the user's
 * trunks come before the shared ones, and real lines before the test phones. A line that cannot take another call now
 * is passed over. A line that reaches only fictional numbers never gets another one, so that a fresh installation
 * cannot dial anybody.
 */

/** Why no line carries a call: none reaches the number, or those that do are full, too fast, or paused. */
export type LineReason = 'no_line' | 'trunk_calls' | 'trunk_rate' | 'trunk_paused';

/** A line that takes no call now. */
export interface LineHold {
  reason: LineReason;
  /** Null: when a call ends, or somebody changes a line. */
  until: Date | null;
  /** Null: there is no line to wait for. */
  trunkId: number | null;
}

/** A trunk the user may use. */
export interface RouteTrunk {
  id: number;
  /** Null: shared by everybody. */
  userId: number | null;
  reach: 'fictional' | 'any';
  isTest: boolean;
  /** Shown when the user has no number on this trunk. */
  callerNumber: string | null;
  /** Null: it takes another call. */
  hold: LineHold | null;
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

/** Either a line, or why there is none. */
export type Routing = { route: Route } | { hold: LineHold };

/** North America's numbers that are kept free for fiction: NPA-555-0100 to NPA-555-0199. */
const FICTIONAL = /^\+1[2-9]\d{2}55501\d{2}$/;

/** Whether that trunk may ring that number at all: a line for fiction never reaches anybody. */
export function canReach({ reach }: Pick<RouteTrunk, 'reach'>, to: string): boolean {
  return reach === 'any' || FICTIONAL.test(to);
}

/** Where no line takes the call now, the first choice says why. */
export function routeCall(request: RouteRequest): Routing {
  const { to, trunks, numbers } = request;
  const assigned = numbers.find((number) => number.id === request.assistantNumberId);
  const choices = trunks
    .filter((trunk) => canReach(trunk, to))
    .toSorted((a, b) => rank(a, assigned) - rank(b, assigned) || a.id - b.id);
  const trunk = choices.find(({ hold }) => hold === null);
  if (!trunk) return { hold: choices[0]?.hold ?? { reason: 'no_line', until: null, trunkId: null } };
  const own =
    assigned?.trunkId === trunk.id ? assigned : numbers.find((number) => number.trunkId === trunk.id);
  return { route: { trunkId: trunk.id, callerNumber: own?.phoneNumber ?? trunk.callerNumber ?? '' } };
}

/** The lower, the better. */
function rank(trunk: RouteTrunk, assigned: RouteNumber | undefined): number {
  if (trunk.id === assigned?.trunkId) return 0;
  if (trunk.isTest) return 3;
  return trunk.userId === null ? 2 : 1;
}
