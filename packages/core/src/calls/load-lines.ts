/** The lines of a user, as `route-call.rules.ts` wants them. */
import { statement, type Tx } from '@parley/db';
import type { RouteNumber, RouteTrunk } from './route-call.rules.ts';

/** What could carry a call. */
export interface Lines {
  trunks: RouteTrunk[];
  numbers: RouteNumber[];
}

const selectTrunks = statement<RouteTrunk>(
  'route_trunks',
  `select id, user_id, reach, is_test, caller_number from trunks where user_id is null or user_id = $1`,
);
const selectNumbers = statement<RouteNumber>(
  'route_numbers',
  `select id, trunk_id, phone_number from phone_numbers where user_id = $1 order by id`,
);

/** The user's own trunks and numbers, and the shared trunks. */
export async function loadLines(tx: Tx, userId: number): Promise<Lines> {
  const trunks = await tx.query(selectTrunks, [userId]);
  return { trunks, numbers: await tx.query(selectNumbers, [userId]) };
}
