/**
 * Counts dials by user, API token and trunk. A dial locks the rows of its three subjects until its commit, so that of any
 * number of dials at once none exceeds a limit (docs/decisions/toll-fraud.md). The clock is the database's, which all
 * processes share; a day is UTC's. Calls on trunks that reach only fictional numbers are not counted.
 */
import { json, statement, type DialScope, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { warningsOf, type ScopeUsage } from './dial-usage.rules.ts';

/** Whose limits a call is under. */
export interface DialSubjects {
  userId: number;
  /** The API token that requested the call or started its campaign; null: neither. */
  tokenId: number | null;
  trunkId: number | null;
}

const OF_SCOPE = 'from dial_limits l where l.scope = u.scope';
const OF_TOKEN = `from api_tokens t where u.scope = 'token' and t.id = u.subject_id`;
/** Those of the scope, and the own ones of the token; the lower applies, and a null is no limit. */
const LIMITS = `(select l.calls_per_second ${OF_SCOPE}) as calls_per_second,
  least((select l.calls_per_day ${OF_SCOPE}), (select t.max_calls_per_day ${OF_TOKEN})) as calls_per_day,
  least((select l.cost_per_day ${OF_SCOPE}), (select t.max_cost_per_day ${OF_TOKEN})) as cost_per_day`;
const TODAY = `(clock_timestamp() at time zone 'utc')::date`;

/**
 * Costs that a concurrent dial is adding are skipped here, because this dial waits for its row of dial_usage and then
 * reads them.
 */
const lockUsage = statement<ScopeUsage>(
  'lock_dial_usage',
  `with given as (
     select g.scope, g.subject_id from unnest($1::text[], $2::bigint[]) as g (scope, subject_id)
     join dial_limits l on l.scope = g.scope
     left join api_tokens t on g.scope = 'token' and t.id = g.subject_id
     where num_nonnulls(l.calls_per_second, l.calls_per_day, l.cost_per_day, t.max_calls_per_day, t.max_cost_per_day) > 0
       and exists (select 1 from trunks where id = $3 and reach = 'any')
   ), added as (
     delete from dial_costs where id in (
       select c.id from dial_costs c join given g on g.scope = c.scope and g.subject_id = c.subject_id
       for update of c skip locked)
     returning scope, subject_id, day, cost
   )
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
     greatest(1, ceil(extract(epoch from u.recent[1] + interval '1 second' - clock_timestamp()) * 1000)) as wait_ms, ${LIMITS}`,
);
const countDials = statement(
  'count_dial',
  `update dial_usage set calls = calls + 1, recent = recent || clock_timestamp()
   where (scope, subject_id) in (select * from unnest($1::text[], $2::bigint[]))`,
);
const insertWarnings = statement<{ scope: DialScope; subjectId: number; measure: string }>(
  'warn_of_dial_limits',
  `insert into dial_warnings (scope, subject_id, day, measure, used, max, reached_at)
   select g.scope, g."subjectId", ${TODAY}, g.measure, g.used, g.max, $2
   from jsonb_to_recordset($1) as g (scope text, "subjectId" bigint, measure text, used numeric, max numeric)
   on conflict do nothing returning scope, subject_id, measure`,
);
/** Dials that wait to be sent count as if they began within the next two seconds. */
const readUsages = statement<ScopeUsage>(
  'read_dial_usage',
  `select u.scope, u.subject_id, coalesce(d.calls, 0) as calls, coalesce(d.cost, 0) as cost,
     (select count(*) / 2 from live_calls c join trunks t on t.id = c.trunk_id and t.reach = 'any'
        where c.user_id = $3 and c.type = 'outbound' and c.invite_sent_at is null
          and (u.scope = 'user' or c.token_id = u.subject_id)) as recent_calls,
     1000 as wait_ms, ${LIMITS}
   from unnest($1::text[], $2::bigint[]) as u (scope, subject_id)
   left join dial_usage d on d.scope = u.scope and d.subject_id = u.subject_id and d.day >= ${TODAY}`,
);
const insertCost = statement(
  'add_dial_cost',
  `insert into dial_costs (scope, subject_id, day, cost)
   select g.scope, g.subject_id, ${TODAY}, $3 from unnest($1::text[], $2::bigint[]) as g (scope, subject_id)
   join dial_limits l on l.scope = g.scope
   left join api_tokens t on g.scope = 'token' and t.id = g.subject_id
   where l.cost_per_day is not null or t.max_cost_per_day is not null`,
);
const forgetOld = statement('forget_old_dial_costs', `delete from dial_costs where day < ${TODAY}`);

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

/** The last lock that a dial takes but for its trunk's turn. @returns only subjects with limits */
export async function lockDialUsage(tx: Tx, subjects: DialSubjects): Promise<ScopeUsage[]> {
  return tx.query(lockUsage, [...columnsOf(subjects), subjects.trunkId]);
}

/** Counts a dial under the lock, and stores at most one warning per day for each limit that is nearly reached. */
export async function countDial(ctx: CoreContext, tx: Tx, usages: readonly ScopeUsage[]): Promise<void> {
  if (usages.length === 0) return;
  await tx.query(countDials, [usages.map(({ scope }) => scope), usages.map(({ subjectId }) => subjectId)]);
  const reached = warningsOf(usages);
  if (reached.length === 0) return;
  for (const { scope, subjectId, measure } of await tx.query(insertWarnings, [json(reached), now(ctx)]))
    ctx.log.warn({ scope, subjectId, measure }, 'A dial limit has reached 80 %');
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
