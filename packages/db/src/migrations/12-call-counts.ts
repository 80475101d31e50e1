/**
 * How many settled calls each user has on each day, kept exact so that lists need not count: docs/decisions/call-counts.md.
 * What changes is only noted, in a row of its own, so that no transaction waits for another; the job `fold_call_counts`
 * adds the notes up. Calls that are not settled yet are few, and are counted where they stand.
 * Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class CountCalls extends Migration {
  override up(): void {
    for (const sql of STEPS) this.addSql(sql);
  }
}

/** The states that `call-state.rules.ts` calls final. */
const SETTLED = `('completed', 'busy', 'no-answer', 'failed')`;
const UNSETTLED = `('initiated', 'ringing', 'in-progress', 'ended', 'ended_by_customer', 'ended_by_assistant')`;

/** What is counted apart; a day is UTC's. Campaign 0 is none, because a key cannot be null. */
const CELL = 'user_id, day, status, type, assistant_id, campaign_id';

const cellOf = (row: string): string =>
  `${row}.user_id, (${row}.created_at at time zone 'UTC')::date, ${row}.status, ${row}.type, ${row}.assistant_id, coalesce(${row}.campaign_id, 0)`;

const STEPS = [
  `create table call_counts (
     user_id bigint not null, day date not null, status text not null, type text not null,
     assistant_id bigint not null, campaign_id bigint not null, count int not null,
     primary key (user_id, day, status, type, assistant_id, campaign_id)
   )`,
  `create table call_count_changes (
     id bigserial primary key, user_id bigint not null, day date not null, status text not null, type text not null,
     assistant_id bigint not null, campaign_id bigint not null, change int not null
   )`,
  // Every row is soon dead: scans must not wade through what is gone.
  `alter table call_count_changes set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0)`,
  // The filters of a list are read within a day or two, so one index has to know them all.
  `drop index calls_by_status_index, calls_by_type_index, calls_by_assistant_index, calls_by_campaign_index`,
  `drop index calls_user_id_created_at_id_index`,
  `create index calls_user_id_created_at_id_index on calls (user_id, created_at, id)
     include (status, type, assistant_id, campaign_id)`,
  `drop index calls_by_client_index`,
  `create index calls_by_client_index on calls (user_id, client_phone_number, created_at, id)
     include (status, type, assistant_id, campaign_id)`,
  `create index calls_unfinished_index on calls (user_id, created_at, id) where status in ${UNSETTLED}`,
  `create function parley_count_call() returns trigger language plpgsql as $$
   begin
     if tg_op = 'UPDATE' and old.status in ${SETTLED} then
       insert into call_count_changes (${CELL}, change) values (${cellOf('old')}, -1);
     end if;
     if new.status in ${SETTLED} then
       insert into call_count_changes (${CELL}, change) values (${cellOf('new')}, 1);
     end if;
     return null;
   end
   $$`,
  `create function parley_count_deleted_calls() returns trigger language plpgsql as $$
   begin
     insert into call_count_changes (${CELL}, change)
       select ${cellOf('gone')}, -count(*) from gone where status in ${SETTLED} group by 1, 2, 3, 4, 5, 6;
     return null;
   end
   $$`,
  `create trigger calls_count_insert after insert on calls for each row
     when (new.status in ${SETTLED}) execute function parley_count_call()`,
  `create trigger calls_count_update
     after update of user_id, created_at, status, type, assistant_id, campaign_id on calls for each row
     when ((old.status in ${SETTLED} or new.status in ${SETTLED}) and
       (old.user_id, old.created_at, old.status, old.type, old.assistant_id, old.campaign_id) is distinct from
       (new.user_id, new.created_at, new.status, new.type, new.assistant_id, new.campaign_id))
     execute function parley_count_call()`,
  // For each statement on calls itself: rows that only move from one partition to another are no deletion.
  `create trigger calls_count_delete after delete on calls referencing old table as gone for each statement
     execute function parley_count_deleted_calls()`,
  // From nothing: for calls that were there before, and after whole months were dropped.
  `create function parley_recount_calls() returns void language plpgsql as $$
   begin
     lock table calls in share row exclusive mode;
     delete from call_count_changes;
     delete from call_counts;
     insert into call_counts (${CELL}, count)
       select ${cellOf('c')}, count(*) from calls c where c.status in ${SETTLED} group by 1, 2, 3, 4, 5, 6;
   end
   $$`,
  `select parley_recount_calls()`,
];
