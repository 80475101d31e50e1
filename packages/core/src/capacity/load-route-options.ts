/** The trunks and caller numbers of a user, among which `route-call.rules.ts` selects. */
import { sendTogether, statement, type Tx } from '@parley/db';
import type { TrunkHealth } from './trunk-health.rules.ts';
import { callsPerDaySql, costPerDaySql, openCostSql, TODAY } from './dial-limits-sql.ts';
import type { DestinationPolicy } from './destination.rules.ts';
import { loadDestinationPolicy } from './load-destination-policy.ts';
import type { RouteNumber, RouteTrunk } from './route-call.rules.ts';

/** The trunks that could carry a call, and the caller numbers. */
export interface RouteOptions {
  trunks: RouteTrunk[];
  numbers: RouteNumber[];
  destinations: DestinationPolicy;
}

/** A trunk with its limits. */
export interface StoredTrunk extends Omit<RouteTrunk, 'hold'>, TrunkHealth {
  maxCalls: number | null;
  maxCps: number | null;
  /** The end of the day, if it has reached its limit of calls or costs per day; otherwise null. */
  spentUntil: Date | null;
}

/** The stored fields. `call-capacity.ts` counts the present calls of a trunk under a lock. */
export interface StoredRouteOptions extends Omit<RouteOptions, 'trunks'> {
  trunks: StoredTrunk[];
}

const TRUNK = { scope: `'trunk'`, id: 'trunks.id' };

const selectTrunks = statement<StoredTrunk>(
  'route_trunks',
  `select id, user_id, reach, is_test, priority, caller_number, max_calls, max_cps, paused_until, pause_seconds, (
     select min(case unit when 'minute' then price else price * 60 end)::float8 from prices
     where prices.trunk_id = trunks.id and unit in ('minute', 'second')) as price_per_minute, (
     select (coalesce(u.day, ${TODAY}) + 1)::timestamp at time zone 'utc'
     from (select ${callsPerDaySql(TRUNK)} as calls_per_day, ${costPerDaySql(TRUNK)} as cost_per_day) l
     left join dial_usage u on u.scope = 'trunk' and u.subject_id = trunks.id and u.day >= ${TODAY}
     where reach = 'any' and (coalesce(u.calls, 0) >= l.calls_per_day
       or case when l.cost_per_day is null then false
          else coalesce(u.cost, 0) + ${openCostSql(TRUNK)} >= l.cost_per_day end)) as spent_until
   from trunks where user_id is null or user_id = $1`,
);
const selectNumbers = statement<RouteNumber>(
  'route_numbers',
  `select id, trunk_id, phone_number from phone_numbers where user_id = $1 order by id`,
);

/** The user's own trunks and numbers, the shared trunks, and the operator's policy. */
export async function loadRouteOptions(tx: Tx, userId: number): Promise<StoredRouteOptions> {
  const [trunks, numbers, destinations] = await sendTogether(tx, [
    (tx) => tx.query(selectTrunks, [userId]),
    (tx) => tx.query(selectNumbers, [userId]),
    (tx) => loadDestinationPolicy(tx),
  ]);
  return { trunks, numbers, destinations };
}

/** Whether calls have to be counted before another one may use the trunk. */
export function isLimited({ maxCalls, maxCps, pauseSeconds }: StoredTrunk): boolean {
  return maxCalls !== null || maxCps !== null || pauseSeconds > 0;
}
