-- Makes the monthly partitions of calls and call_events (UTC months, `calls_y2026m11`) and returns how many it made. Runs
-- after every migration and once a day (job `ensure_partitions`). Rows that arrived in the default partition before their
-- month had one are moved.
create or replace function parley_ensure_call_partitions(months_ahead int) returns int language plpgsql as $$
declare
  parent text;
  key_column text;
  child text;
  month_start timestamptz;
  month_end timestamptz;
  made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('parley_ensure_call_partitions'));
  foreach parent in array array['calls', 'call_events'] loop
    key_column := case parent when 'calls' then 'created_at' else 'call_created_at' end;
    for i in 0..months_ahead loop
      month_start := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => i)) at time zone 'UTC';
      month_end := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => i + 1)) at time zone 'UTC';
      child := parent || to_char(month_start at time zone 'UTC', '"_y"YYYY"m"MM');
      continue when to_regclass(child) is not null;
      execute format('create table %I (like %I including defaults including constraints)', child, parent);
      execute format(
        'with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
        parent || '_default', key_column, month_start, key_column, month_end, child);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)',
        parent, child, month_start, month_end);
      made := made + 1;
    end loop;
  end loop;
  return made;
end
$$;
