-- The costs of today of a user, API token or trunk that dial_usage does not have: of calls that have ended since its last
-- dial, and of calls in progress (docs/decisions/toll-fraud.md).
--
-- A call in progress costs its prices per minute times its time so far, in seconds rounded as the charge at its end rounds
-- them (packages/core/src/calls/call-seconds.rules.ts): of its trunk, and of the providers of its assistant's present
-- settings. The second leg of a bridge costs its trunk alone. What is priced by tokens, characters or seconds of speech is
-- not known before the end.
--
-- It is stable, so both parts have the snapshot of the calling statement. The end of a call moves it from one part to the
-- other in one transaction, so that a snapshot has each call once. It is a function so that the statements on the way of
-- every dial plan it only where there is a limit of costs.
create or replace function parley_open_dial_cost(of_scope text, of_id bigint) returns numeric
language plpgsql stable set jit = off as $$
declare
  today date := (clock_timestamp() at time zone 'utc')::date;
  ended numeric;
  live numeric;
begin
  select coalesce(sum(e.cost), 0) into ended from dial_costs e
  where e.scope = of_scope and e.subject_id = of_id and e.day = today;
  with calls as materialized (
    select c.trunk_id, c.assistant_id, c.bridged_call_id is null as is_call,
      greatest(0, round(extract(epoch from clock_timestamp() - c.answered_at))) as seconds
    from live_calls c
    where c.answered_at is not null and case of_scope
      when 'user' then c.user_id = of_id when 'trunk' then c.trunk_id = of_id else c.token_id = of_id end
  ), rates as materialized (
    select k.*, coalesce(of_trunk.price, 0) + coalesce(of_voice.price, 0) + coalesce(of_model.price, 0) as per_minute
    from (select distinct trunk_id, assistant_id, is_call from calls) k
    left join prices of_trunk on of_trunk.unit = 'minute' and of_trunk.trunk_id = k.trunk_id
    left join assistants a on a.id = k.assistant_id and k.is_call
    left join voices v on v.id = a.voice_id
    left join llm_models m on m.id = a.llm_model_id and a.mode <> 'multimodal' and m.provider_id <> v.provider_id
    left join prices of_voice on of_voice.unit = 'minute' and of_voice.provider_id = v.provider_id
    left join prices of_model on of_model.unit = 'minute' and of_model.provider_id = m.provider_id
  )
  select coalesce(sum(round(r.per_minute * c.seconds / 60, 6)), 0) into live
  from calls c join rates r
    on r.assistant_id = c.assistant_id and r.is_call = c.is_call and r.trunk_id is not distinct from c.trunk_id;
  return ended + live;
end
$$;
