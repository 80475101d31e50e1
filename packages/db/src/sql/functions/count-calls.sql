-- Keeps call_count_changes exact (docs/decisions/call-counts.md): a row for each change of a settled call. Calls that are not
-- settled yet are few, and are counted where they are. The states are those that `call-state.rules.ts` calls final.
create or replace function parley_count_call() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status in ('completed', 'busy', 'no-answer', 'failed') then
    insert into call_count_changes (user_id, day, status, type, assistant_id, campaign_id, change)
      values (old.user_id, (old.created_at at time zone 'UTC')::date, old.status, old.type, old.assistant_id,
        coalesce(old.campaign_id, 0), -1);
  end if;
  if new.status in ('completed', 'busy', 'no-answer', 'failed') then
    insert into call_count_changes (user_id, day, status, type, assistant_id, campaign_id, change)
      values (new.user_id, (new.created_at at time zone 'UTC')::date, new.status, new.type, new.assistant_id,
        coalesce(new.campaign_id, 0), 1);
  end if;
  return null;
end
$$;

create or replace function parley_count_deleted_calls() returns trigger language plpgsql as $$
begin
  insert into call_count_changes (user_id, day, status, type, assistant_id, campaign_id, change)
    select user_id, (created_at at time zone 'UTC')::date, status, type, assistant_id, coalesce(campaign_id, 0), -count(*)
    from gone where status in ('completed', 'busy', 'no-answer', 'failed') group by 1, 2, 3, 4, 5, 6;
  return null;
end
$$;

-- Counts again from nothing: after whole months were dropped.
create or replace function parley_recount_calls() returns void language plpgsql as $$
begin
  lock table calls in share row exclusive mode;
  delete from call_count_changes;
  delete from call_counts;
  insert into call_counts (user_id, day, status, type, assistant_id, campaign_id, count)
    select user_id, (created_at at time zone 'UTC')::date, status, type, assistant_id, coalesce(campaign_id, 0), count(*)
    from calls where status in ('completed', 'busy', 'no-answer', 'failed') group by 1, 2, 3, 4, 5, 6;
  delete from call_day_counts;
  insert into call_day_counts select user_id, day, sum(count) from call_counts group by 1, 2;
end
$$;

create or replace trigger calls_count_insert after insert on calls for each row
  when (new.status in ('completed', 'busy', 'no-answer', 'failed')) execute function parley_count_call();

create or replace trigger calls_count_update
  after update of user_id, created_at, status, type, assistant_id, campaign_id on calls for each row
  when ((old.status in ('completed', 'busy', 'no-answer', 'failed')
      or new.status in ('completed', 'busy', 'no-answer', 'failed')) and
    (old.user_id, old.created_at, old.status, old.type, old.assistant_id, old.campaign_id) is distinct from
    (new.user_id, new.created_at, new.status, new.type, new.assistant_id, new.campaign_id))
  execute function parley_count_call();

-- For each statement on calls itself: a row that only moves to another partition is not a deletion.
create or replace trigger calls_count_delete after delete on calls referencing old table as gone for each statement
  execute function parley_count_deleted_calls();
