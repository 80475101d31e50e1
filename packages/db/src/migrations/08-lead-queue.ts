/**
 * Leads as the api writes and lists them: a lead waits in the queue at most once, lists find main leads by an index of
 * their own, and a lead is created, or refused as a duplicate, in one round trip.
 */
import { Migration } from '@mikro-orm/migrations';

export class SharpenLeads extends Migration {
  override up(): void {
    for (const sql of STEPS) this.addSql(sql);
  }
}

const STEPS = [
  `alter table dial_queue add constraint dial_queue_lead_id_unique unique (lead_id)`,
  // Lists show main leads only, newest first: all of a user's, or one campaign's.
  `drop index leads_user_id_id_index`,
  `create index leads_user_id_id_index on leads (user_id, id) where parent_id is null`,
  `create index leads_campaign_id_id_index on leads (campaign_id, id) where parent_id is null`,
  /*
   * Each statement of a function sees what was committed before it began, so the look for duplicates sees whatever the
   * lock waited for. Outcomes: created; no-campaign; running (the caller did not say that it will wake the campaign);
   * taken (numbers that the campaign has already). The campaign's row stays locked against a start, a stop or a claim
   * until the end, and the lead's number against another creation; with contacts the campaign as a whole, because a
   * lock for each of thousands of numbers would not fit into Postgres.
   */
  `create function parley_create_lead(
     for_user bigint, for_campaign bigint, main_number text, main_variables jsonb, contacts jsonb,
     is_duplicate_allowed boolean, can_wake boolean, created_when timestamptz
   ) returns table (outcome text, lead_id bigint, contact_ids bigint[], campaign_name text, taken text[])
   language plpgsql as $$
   declare
     campaign campaigns%rowtype;
     scope text := 'leads:' || for_campaign;
   begin
     select * into campaign from campaigns
       where id = for_campaign and user_id = for_user and deleted_at is null for share;
     if not found then
       return query select 'no-campaign', null::bigint, null::bigint[], null::text, null::text[];
       return;
     end if;
     if campaign.status = 'in-progress' and not can_wake then
       return query select 'running', null::bigint, null::bigint[], null::text, null::text[];
       return;
     end if;
     if not is_duplicate_allowed then
       if contacts = '[]' then
         perform pg_advisory_xact_lock_shared(hashtextextended(scope, 0));
         perform pg_advisory_xact_lock(hashtextextended(scope || ':' || main_number, 0));
       else
         perform pg_advisory_xact_lock(hashtextextended(scope, 0));
       end if;
       select array_agg(distinct l.phone_number) into taken from leads l
         where l.campaign_id = for_campaign and l.phone_number = any(
           array(select main_number union all select c.value ->> 'phoneNumber' from jsonb_array_elements(contacts) c));
       if taken is not null then
         return query select 'taken', null::bigint, null::bigint[], null::text, taken;
         return;
       end if;
     end if;
     insert into leads (user_id, campaign_id, phone_number, variables, status, dial_state, created_at, updated_at)
       values (for_user, for_campaign, main_number, main_variables, 'created', 'waiting', created_when, created_when)
       returning id into lead_id;
     contact_ids := '{}';
     if contacts <> '[]' then
       with added as (
         insert into leads (user_id, campaign_id, parent_id, phone_number, variables, status, dial_state, created_at, updated_at)
         select for_user, for_campaign, lead_id, c.item ->> 'phoneNumber', c.item -> 'variables', 'created', 'waiting', created_when, created_when
         from jsonb_array_elements(contacts) with ordinality c(item, place) order by c.place
         returning id
       )
       select array_agg(id order by id) into contact_ids from added;
     end if;
     insert into dial_queue (campaign_id, ready_at, lead_id, attempt) values (for_campaign, created_when, lead_id, 1);
     return query select 'created', lead_id, contact_ids, campaign.name, null::text[];
   end
   $$`,
];
