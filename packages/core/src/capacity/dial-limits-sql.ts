/**
 * SQL of the limits of a user, API token or trunk, and of its costs that `dial_usage` does not have yet. The subject is
 * given as two SQL expressions: its scope and its id.
 */

/** The day of all limits, by the clock of the database. */
export const TODAY = `(clock_timestamp() at time zone 'utc')::date`;

/** Rows of these have limits of their own; tokens have none of calls per second. */
const OWN = { user: 'users', token: 'api_tokens', trunk: 'trunks' } as const;

function limitSql(
  name: 'calls_per_second' | 'calls_per_day' | 'cost_per_day',
  { scope, id }: Subject,
  scopes: readonly (keyof typeof OWN)[],
): string {
  const own = scopes.map(
    (each) => `when '${each}' then (select o.max_${name} from ${OWN[each]} o where o.id = ${id})`,
  );
  return `least((select l.${name} from dial_limits l where l.scope = ${scope}), case ${scope} ${own.join(' ')} end)`;
}

/** SQL of a subject. */
interface Subject {
  /** An SQL expression of type text: `user`, `token` or `trunk`. */
  scope: string;
  /** An SQL expression of type bigint. */
  id: string;
}

/** The tighter one of the limit of all and the subject's own; null: no limit. */
export function callsPerDaySql(subject: Subject): string {
  return limitSql('calls_per_day', subject, ['user', 'token', 'trunk']);
}

/** The tighter one of the limit of all and the subject's own; null: no limit. */
export function costPerDaySql(subject: Subject): string {
  return limitSql('cost_per_day', subject, ['user', 'token', 'trunk']);
}

/** The three limits, as the columns of `ScopeUsage`. */
export function limitColumnsSql(subject: Subject): string {
  return `${limitSql('calls_per_second', subject, ['user', 'trunk'])} as calls_per_second,
    ${callsPerDaySql(subject)} as calls_per_day, ${costPerDaySql(subject)} as cost_per_day`;
}

/** Costs of today that are not in `dial_usage`: of calls that have ended since the last dial, and of calls in progress. */
export function openCostSql({ scope, id }: Subject): string {
  return `parley_open_dial_cost(${scope}, ${id})`;
}
