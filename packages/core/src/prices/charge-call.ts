/**
 * What a call cost, reckoned when it ends, by the prices of that moment: each second of conversation on the line, at the
 * voice's provider and at the model's. Postgres reckons, in exact decimals.
 */
import { statement, type LiveCallRow, type Tx } from '@parley/db';
import type { StoredCall } from '../calls/lock-call.ts';

const storeCosts = statement(
  'store_costs',
  `with costs as (
     select 'carrier' as kind, t.name, p.per_minute, round(p.per_minute * $3::int / 60, 6) as amount
     from prices p join trunks t on t.id = p.trunk_id where p.trunk_id = $4
     union all
     select 'provider', r.name, p.per_minute, round(p.per_minute * $3::int / 60, 6)
     from prices p join providers r on r.id = p.provider_id where p.provider_id = any($5::bigint[])
   )
   update calls set
     carrier_cost = coalesce((select sum(amount) from costs where kind = 'carrier'), 0),
     total_cost = coalesce((select sum(amount) from costs), 0),
     costs = coalesce((select jsonb_agg(jsonb_build_object(
       'kind', kind, 'name', name, 'seconds', $3::int, 'perMinute', per_minute, 'amount', amount) order by kind, name)
       from costs), '[]')
   where id = $1 and created_at = $2`,
);

/**
 * @param call - hung up, with its duration
 * @param live - as it was before the hang-up; null: the line is not known any more, and costs nothing
 */
export async function chargeCall(tx: Tx, call: StoredCall, live: LiveCallRow | null): Promise<void> {
  if (call.durationSeconds === 0) return;
  const { voice, model } = call.configuration;
  await tx.query(storeCosts, [
    call.id,
    call.createdAt,
    call.durationSeconds,
    live?.trunkId ?? null,
    [...new Set([voice.providerId, model.providerId])],
  ]);
}
