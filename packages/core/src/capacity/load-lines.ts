/** The lines of a user with what each still takes, as `route-call.rules.ts` wants them. */
import { sendTogether, statement, type Tx } from '@parley/db';
import type { TrunkHealth } from './trunk-health.rules.ts';
import type { RouteNumber, RouteTrunk } from './route-call.rules.ts';

/** What could carry a call. */
export interface Lines {
  trunks: RouteTrunk[];
  numbers: RouteNumber[];
}

/** A trunk with its limits. */
export interface StoredTrunk extends Omit<RouteTrunk, 'hold'>, TrunkHealth {
  maxCalls: number | null;
  maxCps: number | null;
}

/** What is stored; what a trunk carries at this moment is counted under a lock, in `call-room.ts`. */
export interface StoredLines {
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
export async function loadLines(tx: Tx, userId: number): Promise<StoredLines> {
  const [trunks, numbers] = await sendTogether(tx, [
    (tx) => tx.query(selectTrunks, [userId]),
    (tx) => tx.query(selectNumbers, [userId]),
  ]);
  return { trunks, numbers };
}

/** Whether anything has to be counted before a call may go out on a trunk. */
export function isLimited({ maxCalls, maxCps, pauseSeconds }: StoredTrunk): boolean {
  return maxCalls !== null || maxCps !== null || pauseSeconds > 0;
}
