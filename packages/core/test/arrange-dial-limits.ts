/** Limits of all users, tokens and trunks. */
import { statement, type Db, type DialScope } from '@parley/db';

/** Absent: no limit. */
export interface DefaultLimits {
  perSecond?: number;
  perDay?: number;
  cost?: number;
}

const setLimits = statement(
  '',
  'update dial_limits set calls_per_second = $2, calls_per_day = $3, cost_per_day = $4 where scope = $1',
);

/** A scope that is not named has no limits. */
export async function limitAll(db: Db, limits: Partial<Record<DialScope, DefaultLimits>>): Promise<void> {
  for (const scope of ['user', 'token', 'trunk'] as const) {
    const { perSecond = null, perDay = null, cost = null } = limits[scope] ?? {};
    await db.query(setLimits, [scope, perSecond, perDay, cost]);
  }
}
