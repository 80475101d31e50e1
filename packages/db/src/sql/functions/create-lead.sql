-- Creates a lead with its secondary contacts, or refuses it as a duplicate, in one round trip.
--
-- Each statement sees what was committed before it began, so the search for duplicates sees whatever the lock waited for.
-- Outcomes: `created`; `no-campaign`; `running` (the campaign is in progress, and the caller did not say that it will wake
-- it); `taken` (numbers that the campaign already has). The campaign's row stays locked against a start, a stop or a claim
-- until the end of the transaction, and the lead's number against another creation. With contacts the whole campaign is
-- locked, because a lock for each of thousands of numbers would exceed max_locks_per_transaction.
create or replace function parley_create_lead(
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
$$;
