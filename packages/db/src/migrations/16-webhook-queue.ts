/**
 * Webhooks become a queue of their own: what is due is claimed from the outbox itself, fairly among receivers, by
 * `parley_claim_deliveries`. Also: why a delivery ended and when, and a second secret while one is being replaced.
 * Tables are written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class QueueWebhooks extends Migration {
  override up(): void {
    for (const sql of CHANGES) this.addSql(sql);
  }
}

const CHANGES = [
  `
  alter table deliveries
    add column origin text null, add column stage text null, add column claimed_by text null,
    add column claimed_at timestamptz(6) null, add column schedule_start int not null default 0,
    add column reason text null, add column settled_at timestamptz(6) null;
  update deliveries set origin = lower(substring(url from '^[^:]+://[^/?#]+')),
    stage = case when status = 'pending' then 'waiting' end,
    settled_at = case when status <> 'pending' then now() end;
  alter table deliveries alter column origin set not null;
  alter table deliveries add constraint deliveries_stage_check check (stage in ('waiting', 'due', 'sending'));
  alter table deliveries add constraint deliveries_stage_of_pending_check
    check ((status = 'pending') = (stage is not null));
  create index deliveries_waiting_index on deliveries (next_attempt_at) where stage = 'waiting';
  create index deliveries_due_index on deliveries (origin, next_attempt_at) where stage = 'due';
  create index deliveries_sending_index on deliveries (origin, claimed_at) where stage = 'sending';
  create index deliveries_by_status_index on deliveries (user_id, status, created_at);
  create index deliveries_settled_at_index on deliveries (settled_at) where settled_at is not null;
  `,
  `
  alter table users add column webhook_secret_old_sealed text null,
    add column webhook_secret_old_until timestamptz(6) null;
  `,
  // Nobody runs these any more.
  `do $$ begin
     if to_regclass('graphile_worker._private_jobs') is not null then
       delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
         where t.id = j.task_id and t.identifier = 'deliver_webhook';
     end if;
   end $$`,
  // A function, so that the lock lasts one statement and not one round trip: a worker that is frozen holds nobody up.
  // It is volatile, so each statement in it sees what was committed before the lock was got. Each claim touches a few rows
  // of a table whose statistics are always old, so the planner is told to go by the indexes and to compile nothing.
  `
  create function parley_claim_deliveries(
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
              where earlier.call_id = d.call_id and earlier.created_at < d.created_at and earlier.stage is not null)
          order by d.next_attempt_at
          limit greatest(0, case when is_slow then max_of_slow else max_per_receiver end - busy)
        ) due
        where r.origin is not null
        order by due.next_attempt_at limit max_claims
      )
      update deliveries d set stage = 'sending', claimed_by = claimer, claimed_at = claim_time
      -- Looked at once more, in a form that leads to no index: somebody may have switched it off meanwhile.
      where d.id = any(array(select id from chosen)) and coalesce(d.stage, '') = 'due' returning d.*;
  end
  $$`,
];
