/**
 * Counts dials by user, API token and trunk. A dial locks the rows of its three subjects until its commit, so that of any
 * number of dials at once none exceeds a limit (docs/decisions/toll-fraud.md). The clock is the database's, which all
 * processes share; a day is UTC's. Calls on trunks that reach only fictional numbers are not counted.
 */
import { statement, type DialScope, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { costPerDaySql, limitColumnsSql, openCostSql, TODAY } from './dial-limits-sql.ts';
import { sumOfCosts, type ScopeUsage } from './dial-usage.rules.ts';

/** Whose limits a call is under. */
export interface DialSubjects {
  userId: number;
  /** The API token that requested the call or started its campaign; null: neither. */
  tokenId: number | null;
  trunkId: number | null;
}

const SUBJECT = { scope: 'u.scope', id: 'u.subject_id' };

/**
 * Costs that a concurrent dial is adding are skipped here, because this dial waits for its row of dial_usage and then
 * reads them.
 */
const lockUsage = statement<ScopeUsage>(
  'lock_dial_usage',
  `with given as (
     select u.scope, u.subject_id, l.calls_per_second, l.calls_per_day, l.cost_per_day
     from unnest($1::text[], $2::bigint[]) as u (scope, subject_id)
     cross join lateral (select ${limitColumnsSql(SUBJECT)}) l
     where num_nonnulls(l.calls_per_second, l.calls_per_day, l.cost_per_day) > 0
       and exists (select 1 from trunks where id = $3 and reach = 'any')
   ), added as (
     delete from dial_costs where id in (
       select c.id from dial_costs c join given g on g.scope = c.scope and g.subject_id = c.subject_id
       for update of c skip locked)
     returning scope, subject_id, day, cost
   ), locked as (
     insert into dial_usage as u (scope, subject_id, day, calls, cost, recent)
     select g.scope, g.subject_id, ${TODAY}, 0, coalesce((
       select sum(a.cost) from added a where a.scope = g.scope and a.subject_id = g.subject_id and a.day = ${TODAY}), 0), '{}'
     from given g order by g.scope, g.subject_id
     on conflict (scope, subject_id) do update set
       day = greatest(u.day, excluded.day),
       calls = case when u.day >= excluded.day then u.calls else 0 end,
       cost = excluded.cost + case when u.day >= excluded.day then u.cost else 0 end,
       recent = array(select r from unnest(u.recent) r where r > clock_timestamp() - interval '1 second' order by r)
     returning u.scope, u.subject_id, u.calls, u.cost, cardinality(u.recent) as recent_calls,
       greatest(1, ceil(extract(epoch from u.recent[1] + interval '1 second' - clock_timestamp()) * 1000)) as wait_ms
   )
   select u.scope, u.subject_id, u.calls, u.cost, u.recent_calls, u.wait_ms,
     g.calls_per_second, g.calls_per_day, g.cost_per_day
   from locked u join given g using (scope, subject_id) order by u.scope, u.subject_id`,
);
/** After the lock, so that a call that ended while this dial waited for it counts once. */
const readOpenCosts = statement<{ scope: DialScope; cost: number }>(
  'read_open_dial_costs',
  `select u.scope, ${openCostSql(SUBJECT)} as cost
   from unnest($1::text[], $2::bigint[]) as u (scope, subject_id)`,
);
const countDials = statement(
  'count_dial',
  `update dial_usage set calls = calls + 1, recent = recent || clock_timestamp()
   where (scope, subject_id) in (select * from unnest($1::text[], $2::bigint[]))`,
);
/** Dials that wait to be sent count as if they began within the next two seconds. */
const readUsages = statement<ScopeUsage>(
  'read_dial_usage',
  `select u.scope, u.subject_id, coalesce(d.calls, 0) as calls,
     coalesce(d.cost, 0) + case when l.cost_per_day is null then 0 else ${openCostSql(SUBJECT)} end as cost,
     (select count(*) / 2 from live_calls c join trunks t on t.id = c.trunk_id and t.reach = 'any'
        where c.user_id = $3 and c.type = 'outbound' and c.invite_sent_at is null
          and (u.scope = 'user' or c.token_id = u.subject_id)) as recent_calls,
     1000 as wait_ms, l.calls_per_second, l.calls_per_day, l.cost_per_day
   from unnest($1::text[], $2::bigint[]) as u (scope, subject_id)
   cross join lateral (select ${limitColumnsSql(SUBJECT)}) l
   left join dial_usage d on d.scope = u.scope and d.subject_id = u.subject_id and d.day >= ${TODAY}`,
);
const insertCost = statement(
  'add_dial_cost',
  `insert into dial_costs (scope, subject_id, day, cost)
   select u.scope, u.subject_id, ${TODAY}, $3 from unnest($1::text[], $2::bigint[]) as u (scope, subject_id)
   where ${costPerDaySql(SUBJECT)} is not null`,
);
const forgetOld = statement('forget_old_dial_costs', `delete from dial_costs where day < ${TODAY}`);
/** Every subject with costs today and a limit of them. */
const readCosts = statement<Pick<ScopeUsage, 'scope' | 'subjectId' | 'cost' | 'costPerDay'>>(
  'read_limited_costs',
  `select u.scope, u.subject_id, coalesce(d.cost, 0) + ${openCostSql(SUBJECT)} as cost, l.cost_per_day
   from (
     select 'user' as scope, user_id as subject_id from live_calls where answered_at is not null
     union select 'token', token_id from live_calls where answered_at is not null and token_id is not null
     union select 'trunk', trunk_id from live_calls where answered_at is not null and trunk_id is not null
     union select scope, subject_id from dial_costs where day = ${TODAY}
     union select scope, subject_id from dial_usage where day >= ${TODAY} and cost > 0
   ) u
   cross join lateral (select ${costPerDaySql(SUBJECT)} as cost_per_day) l
   left join dial_usage d on d.scope = u.scope and d.subject_id = u.subject_id and d.day >= ${TODAY}
   where l.cost_per_day is not null`,
);

type Columns = [scopes: DialScope[], subjectIds: number[]];

function columnsOf({ userId, tokenId, trunkId }: DialSubjects): Columns {
  const subjects: [DialScope, number | null][] = [
    ['token', tokenId],
    ['trunk', trunkId],
    ['user', userId],
  ];
  const known = subjects.flatMap(([scope, id]) => (id === null ? [] : [{ scope, id }]));
  return [known.map(({ scope }) => scope), known.map(({ id }) => id)];
}

function columnsOfUsages(usages: readonly Pick<ScopeUsage, 'scope' | 'subjectId'>[]): Columns {
  return [usages.map(({ scope }) => scope), usages.map(({ subjectId }) => subjectId)];
}

/**
 * The last lock that a dial takes but for its trunk's turn.
 *
 * @returns only subjects with limits; their costs with those of calls in progress
 */
export async function lockDialUsage(tx: Tx, subjects: DialSubjects): Promise<ScopeUsage[]> {
  const usages = await tx.query(lockUsage, [...columnsOf(subjects), subjects.trunkId]);
  const costly = usages.filter(({ costPerDay }) => costPerDay !== null);
  if (costly.length === 0) return usages;
  const open = await tx.query(readOpenCosts, columnsOfUsages(costly));
  return usages.map((usage) => {
    // A dial has one subject of each scope.
    const more = open.find(({ scope }) => scope === usage.scope);
    return more ? { ...usage, cost: sumOfCosts(usage.cost, more.cost) } : usage;
  });
}

/** Counts a dial under the lock. */
export async function addDial(tx: Tx, usages: readonly ScopeUsage[]): Promise<void> {
  if (usages.length > 0) await tx.query(countDials, columnsOfUsages(usages));
}

/** Without locks: the costs of today of every subject that has a limit of them. */
export async function readLimitedCosts(tx: Tx): Promise<ScopeUsage[]> {
  const none = { calls: 0, recentCalls: 0, waitMs: null, callsPerSecond: null, callsPerDay: null };
  return (await tx.query(readCosts)).map((costs) => ({ ...none, ...costs }));
}

/** Without locks, for checks before a call is placed: the limits of the user and the token. */
export async function readDialUsage(tx: Tx, subjects: Omit<DialSubjects, 'trunkId'>): Promise<ScopeUsage[]> {
  return tx.query(readUsages, [...columnsOf({ ...subjects, trunkId: null }), subjects.userId]);
}

/** @param cost - of a call that has ended, decimal */
export async function addDialCost(tx: Tx, subjects: DialSubjects, cost: string): Promise<void> {
  if (Number(cost) > 0) await tx.query(insertCost, [...columnsOf(subjects), cost]);
}

/** Adds the costs of subjects that have not dialed since. Run by the sweep. */
export async function forgetOldDialCosts(ctx: CoreContext): Promise<void> {
  await ctx.db.query(forgetOld);
}
