/** The trunks and caller numbers of a user, among which `route-call.rules.ts` selects. */
import { sendTogether, statement, type Tx } from '@parley/db';
import type { TrunkHealth } from './trunk-health.rules.ts';
import type { RouteNumber, RouteTrunk } from './route-call.rules.ts';

/** The trunks that could carry a call, and the numbers that it could show. */
export interface RouteOptions {
  trunks: RouteTrunk[];
  numbers: RouteNumber[];
}

/** A trunk with its limits. */
export interface StoredTrunk extends Omit<RouteTrunk, 'hold'>, TrunkHealth {
  maxCalls: number | null;
  maxCps: number | null;
}

/** As stored. The calls that a trunk carries at the moment are counted under a lock, in `call-capacity.ts`. */
export interface StoredRouteOptions {
  trunks: StoredTrunk[];
  numbers: RouteNumber[];
}

const selectTrunks = statement<StoredTrunk>(
  'route_trunks',
  `select id, user_id, reach, is_test, caller_number, max_calls, max_cps, paused_until, pause_seconds
   from trunks where user_id is null or user_id = $1`,
);
const selectNumbers = statement<RouteNumber>(
  'route_numbers',
  `select id, trunk_id, phone_number from phone_numbers where user_id = $1 order by id`,
);

/** The user's own trunks and numbers, and the shared trunks. */
export async function loadRouteOptions(tx: Tx, userId: number): Promise<StoredRouteOptions> {
  const [trunks, numbers] = await sendTogether(tx, [
    (tx) => tx.query(selectTrunks, [userId]),
    (tx) => tx.query(selectNumbers, [userId]),
  ]);
  return { trunks, numbers };
}

/** Whether calls have to be counted before another one may use the trunk. */
export function isLimited({ maxCalls, maxCps, pauseSeconds }: StoredTrunk): boolean {
  return maxCalls !== null || maxCps !== null || pauseSeconds > 0;
}
