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
  /** Of a text: `user`, `token` or `trunk`. */
  scope: string;
  /** Of a bigint. */
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

/**
 * The prices per minute of a live call times its time so far, each rounded as `prices/call-costs.rules.ts` rounds it: of
 * its trunk, and of the providers of its assistant's present settings. The second leg of a bridge costs its trunk alone.
 * What is priced by tokens, characters or seconds of speech is not known before the end.
 */
function liveCostSql(where: string): string {
  const price = (owner: string) => `left join prices ${owner} on ${owner}.unit = 'minute' and ${owner}`;
  return `(select coalesce(sum(round(of_trunk.price * s.seconds / 60, 6)), 0)
      + coalesce(sum(round(of_voice.price * s.seconds / 60, 6)), 0)
      + coalesce(sum(round(of_model.price * s.seconds / 60, 6)), 0)
    from live_calls c
    cross join lateral (
      select greatest(0, round(extract(epoch from clock_timestamp() - c.answered_at))) as seconds) s
    left join assistants a on a.id = c.assistant_id and c.bridged_call_id is null
    left join voices v on v.id = a.voice_id
    left join llm_models m on m.id = a.llm_model_id and a.mode <> 'multimodal' and m.provider_id <> v.provider_id
    ${price('of_trunk')}.trunk_id = c.trunk_id
    ${price('of_voice')}.provider_id = v.provider_id
    ${price('of_model')}.provider_id = m.provider_id
    where c.answered_at is not null and ${where})`;
}

/**
 * Costs of today that are not in `dial_usage`: of calls that have ended since the last dial, and of calls in progress. One
 * snapshot has each call in one of the two, because the end of a call writes both in one transaction.
 */
export function openCostSql({ scope, id }: Subject): string {
  return `(coalesce((select sum(e.cost) from dial_costs e
      where e.scope = ${scope} and e.subject_id = ${id} and e.day = ${TODAY}), 0)
    + case ${scope}
      when 'user' then ${liveCostSql(`c.user_id = ${id}`)}
      when 'trunk' then ${liveCostSql(`c.trunk_id = ${id}`)}
      else ${liveCostSql(`c.token_id = ${id} and c.user_id = (select o.user_id from api_tokens o where o.id = ${id})`)}
    end)`;
}
