-- Claims webhooks that are due, fairly among receivers (docs/decisions/webhook-queue.md).
--
-- It is a function so that the lock lasts one statement and not one round trip: a frozen worker then blocks no other. It is
-- volatile, so each of its statements sees what was committed before the lock was granted. Each claim touches a few rows of
-- a table whose statistics are always out of date, so the planner must use the indexes and compile nothing.
create or replace function parley_claim_deliveries(
  claimer text, claim_time timestamptz, max_claims int, max_per_receiver int, slow_after interval, max_of_slow int
) returns setof deliveries language plpgsql
set jit = off set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  perform pg_advisory_xact_lock(hashtext('parley_claim_deliveries'));
  update deliveries set stage = 'due' where id in (
    select id from deliveries where stage = 'waiting' and next_attempt_at <= claim_time
    order by next_attempt_at limit 1000 for update skip locked);
  return query
    with recursive receivers as (
      (select d.origin from deliveries d where d.stage = 'due' order by d.origin limit 1)
      union all
      select (select d.origin from deliveries d where d.stage = 'due' and d.origin > r.origin order by d.origin limit 1)
      from receivers r where r.origin is not null
    ), chosen as materialized (
      select due.id from receivers r
      cross join lateral (
        select count(*) as busy, coalesce(min(s.claimed_at) < claim_time - slow_after, false) as is_slow
        from deliveries s where s.stage = 'sending' and s.origin = r.origin
      ) now_sending
      cross join lateral (
        select d.id, d.next_attempt_at from deliveries d
        where d.stage = 'due' and d.origin = r.origin
          and not exists (select 1 from deliveries earlier
            where earlier.call_id = d.call_id and earlier.created_at < d.created_at and earlier.stage is not null
              and earlier.endpoint_id is not distinct from d.endpoint_id)
        order by d.next_attempt_at
        limit greatest(0, case when is_slow then max_of_slow else max_per_receiver end - busy)
      ) due
      where r.origin is not null
      order by due.next_attempt_at limit max_claims
    )
    update deliveries d set stage = 'sending', claimed_by = claimer, claimed_at = claim_time
    -- Checked again in a form that no index serves: the webhook may have been disabled meanwhile.
    where d.id = any(array(select id from chosen)) and coalesce(d.stage, '') = 'due' returning d.*;
end
$$;
