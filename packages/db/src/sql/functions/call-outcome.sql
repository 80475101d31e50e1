-- The outcome of a call, as `call-outcome.rules.ts` derives it; call-outcome-sql.test.ts compares the two for every
-- combination. The list filters by it and the counts of calls are kept by it. Reasons that are added change no earlier call.
create or replace function parley_call_outcome(status text, reason text, answered_by text) returns text
  language sql immutable parallel safe as $$
  select case
    when status in ('initiated', 'ringing', 'in-progress') then null
    when status = 'busy' then 'busy'
    when status = 'no-answer' then 'no_answer'
    when reason in ('agent_failed', 'assistant_not_ready', 'internal_error', 'model_failed', 'no_capacity', 'no_line', 'process_lost',
      'recogniser_failed', 'shutdown', 'voice_failed') then 'our_fault'
    when reason in ('voicemail', 'voicemail_message') then 'voicemail'
    when status <> 'failed' and answered_by = 'machine' then 'voicemail'
    when status <> 'failed' and answered_by = 'human' then 'talked'
    when reason in ('assistant_transfer', 'call_transfer', 'message_taken', 'route_message') then 'talked'
    when reason is null and status = 'failed' then 'unreachable'
    when reason is null or reason in ('agent_hung_up', 'assistant_hung_up', 'caller_cancelled', 'customer_hung_up', 'end_call', 'ended',
      'silence_limit', 'duration_limit') then 'hung_up_early'
    when reason in ('failed', 'line_lost', 'not_connected', 'unavailable', 'unreachable') then 'unreachable'
    when reason = 'busy' then 'busy'
    when reason = 'no_answer' then 'no_answer'
    when reason = 'rejected' then 'refused'
    else 'cancelled'
  end
$$;
