-- Keeps lead_count_changes exact (docs/decisions/lead-counts.md): a row for each campaign of a statement that creates or deletes
-- leads, and one for each lead with another result. Contacts of leads are not counted.
create or replace function parley_count_new_leads() returns trigger language plpgsql as $$
begin
  insert into lead_count_changes (campaign_id, leads, completed, reached_max_retries)
    select campaign_id, count(*), count(*) filter (where status = 'completed'),
      count(*) filter (where status = 'reached-max-retries')
    from added where parent_id is null group by campaign_id;
  return null;
end
$$;

create or replace function parley_count_deleted_leads() returns trigger language plpgsql as $$
begin
  insert into lead_count_changes (campaign_id, leads, completed, reached_max_retries)
    select campaign_id, -count(*), -count(*) filter (where status = 'completed'),
      -count(*) filter (where status = 'reached-max-retries')
    from gone where parent_id is null group by campaign_id;
  return null;
end
$$;

create or replace function parley_count_changed_lead() returns trigger language plpgsql as $$
begin
  insert into lead_count_changes (campaign_id, leads, completed, reached_max_retries)
    select campaign_id, sum(change), coalesce(sum(change) filter (where status = 'completed'), 0),
      coalesce(sum(change) filter (where status = 'reached-max-retries'), 0)
    from (values (old.campaign_id, old.status, old.parent_id, -1), (new.campaign_id, new.status, new.parent_id, 1))
      as lead (campaign_id, status, parent_id, change)
    where parent_id is null group by campaign_id;
  return null;
end
$$;

-- Notes the difference between the leads and their counts. One statement sees the leads, the counts and the changes at the
-- same moment, so that leads may be written meanwhile; the lock keeps two of these statements from noting it twice.
create or replace function parley_recount_leads() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('parley_recount_leads'));
  insert into lead_count_changes (campaign_id, leads, completed, reached_max_retries)
    select campaign_id, sum(leads), sum(completed), sum(reached_max_retries) from (
      select campaign_id, count(*) as leads, count(*) filter (where status = 'completed') as completed,
        count(*) filter (where status = 'reached-max-retries') as reached_max_retries
      from leads where parent_id is null group by campaign_id
      union all select campaign_id, -leads, -completed, -reached_max_retries from lead_counts
      union all select campaign_id, -leads, -completed, -reached_max_retries from lead_count_changes
    ) counted group by campaign_id
    having sum(leads) <> 0 or sum(completed) <> 0 or sum(reached_max_retries) <> 0;
end
$$;

create or replace trigger leads_count_insert after insert on leads referencing new table as added for each statement
  execute function parley_count_new_leads();

create or replace trigger leads_count_update after update of campaign_id, status, parent_id on leads for each row
  when ((old.parent_id is null or new.parent_id is null) and
    (old.campaign_id, old.status, old.parent_id) is distinct from (new.campaign_id, new.status, new.parent_id))
  execute function parley_count_changed_lead();

create or replace trigger leads_count_delete after delete on leads referencing old table as gone for each statement
  execute function parley_count_deleted_leads();
