-- The outcome of a call, as `call-outcome.rules.ts` derives it; call-outcome-sql.test.ts compares the two for every
-- combination. The list filters by it and the counts below are kept by it, so that no call has to be rewritten.
create or replace function parley_call_outcome(status text, reason text, answered_by text) returns text
  language sql immutable parallel safe as $$
  select case
    when status in ('initiated', 'ringing', 'in-progress') then null
    when status = 'busy' then 'busy'
    when status = 'no-answer' then 'no_answer'
    when reason in ('assistant_not_ready', 'internal_error', 'model_failed', 'no_capacity', 'no_line', 'process_lost',
      'recogniser_failed', 'shutdown', 'voice_failed') then 'our_fault'
    when reason in ('voicemail', 'voicemail_message') then 'voicemail'
    when status <> 'failed' and answered_by = 'machine' then 'voicemail'
    when status <> 'failed' and answered_by = 'human' then 'talked'
    when reason in ('assistant_transfer', 'call_transfer') then 'talked'
    when reason is null and status = 'failed' then 'unreachable'
    when reason is null or reason in ('assistant_hung_up', 'caller_cancelled', 'customer_hung_up', 'end_call', 'ended',
      'silence_limit', 'duration_limit') then 'hung_up_early'
    when reason in ('failed', 'line_lost', 'not_connected', 'unavailable', 'unreachable') then 'unreachable'
    when reason = 'busy' then 'busy'
    when reason = 'no_answer' then 'no_answer'
    when reason = 'rejected' then 'refused'
    else 'cancelled'
  end
$$;

alter table call_counts add column outcome text not null default '';
alter table call_counts alter column outcome drop default;
alter table call_counts drop constraint if exists call_counts_pkey;
alter table call_counts add primary key (user_id, day, status, type, assistant_id, campaign_id, outcome);
-- What is noted here is counted again below.
delete from call_count_changes;
alter table call_count_changes add column outcome text not null;

-- Keeps call_count_changes exact (docs/decisions/call-counts.md): a row for each change of a settled call. Calls that are not
-- settled yet are few, and are counted where they are. The states are those that `call-state.rules.ts` calls final.
create or replace function parley_count_call() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status in ('completed', 'busy', 'no-answer', 'failed') then
    insert into call_count_changes (user_id, day, status, type, assistant_id, campaign_id, outcome, change)
      values (old.user_id, (old.created_at at time zone 'UTC')::date, old.status, old.type, old.assistant_id,
        coalesce(old.campaign_id, 0), parley_call_outcome(old.status, old.ended_reason, old.answered_by), -1);
  end if;
  if new.status in ('completed', 'busy', 'no-answer', 'failed') then
    insert into call_count_changes (user_id, day, status, type, assistant_id, campaign_id, outcome, change)
      values (new.user_id, (new.created_at at time zone 'UTC')::date, new.status, new.type, new.assistant_id,
        coalesce(new.campaign_id, 0), parley_call_outcome(new.status, new.ended_reason, new.answered_by), 1);
  end if;
  return null;
end
$$;

create or replace function parley_count_deleted_calls() returns trigger language plpgsql as $$
begin
  insert into call_count_changes (user_id, day, status, type, assistant_id, campaign_id, outcome, change)
    select user_id, (created_at at time zone 'UTC')::date, status, type, assistant_id, coalesce(campaign_id, 0),
      parley_call_outcome(status, ended_reason, answered_by), -count(*)
    from gone where status in ('completed', 'busy', 'no-answer', 'failed') group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$$;

-- Counts again from nothing: after whole months were dropped.
create or replace function parley_recount_calls() returns void language plpgsql as $$
begin
  lock table calls in share row exclusive mode;
  delete from call_count_changes;
  delete from call_counts;
  insert into call_counts (user_id, day, status, type, assistant_id, campaign_id, outcome, count)
    select user_id, (created_at at time zone 'UTC')::date, status, type, assistant_id, coalesce(campaign_id, 0),
      parley_call_outcome(status, ended_reason, answered_by), count(*)
    from calls where status in ('completed', 'busy', 'no-answer', 'failed') group by 1, 2, 3, 4, 5, 6, 7;
  delete from call_day_counts;
  insert into call_day_counts select user_id, day, sum(count) from call_counts group by 1, 2;
end
$$;

create or replace trigger calls_count_update
  after update of user_id, created_at, status, type, assistant_id, campaign_id, ended_reason, answered_by
  on calls for each row
  when ((old.status in ('completed', 'busy', 'no-answer', 'failed')
      or new.status in ('completed', 'busy', 'no-answer', 'failed')) and
    (old.user_id, old.created_at, old.status, old.type, old.assistant_id, old.campaign_id, old.ended_reason,
      old.answered_by) is distinct from
    (new.user_id, new.created_at, new.status, new.type, new.assistant_id, new.campaign_id, new.ended_reason,
      new.answered_by))
  execute function parley_count_call();

select parley_recount_calls();
