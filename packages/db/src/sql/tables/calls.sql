-- Calls and what belongs to them: events, live calls, recordings, voice processes, counts.
-- Matches the entities; schema.test.ts compares the two.

create sequence call_ids;
create sequence call_event_ids;
create sequence voice_epochs;

create table calls (
  id bigint not null, created_at timestamptz(6) not null, user_id bigint not null,
  assistant_id bigint not null, assistant_name text not null, campaign_id bigint null,
  campaign_name text null, lead_id bigint null, type text not null, status text not null,
  assistant_phone_number text not null, client_phone_number text not null, answered_at timestamptz(6) null,
  ended_at timestamptz(6) null, duration_seconds int not null default 0, transcript text not null default '',
  turns jsonb not null default '[]', input_variables jsonb not null default '{}',
  variables jsonb not null default '{}', evaluation jsonb not null default '{}',
  webhook_response jsonb not null default '{}', carrier_cost numeric(12,6) not null default 0,
  total_cost numeric(12,6) not null default 0, answered_by text not null default 'unknown',
  ended_by text null, ended_reason text null, configuration jsonb not null,
  changed_at timestamptz(6) not null, updated_at timestamptz(6) not null,
  attempt int null, costs jsonb not null default '[]', dial_decision jsonb null, tool_calls jsonb not null default '[]'::jsonb, primary key (id, created_at)
) partition by range (created_at);
-- The filters of a list are read within a day or two, so one index has to hold them all.
create index calls_user_id_created_at_id_index on calls (user_id, created_at, id)
  include (status, type, assistant_id, campaign_id);
create index calls_by_client_index on calls (user_id, client_phone_number, created_at, id)
  include (status, type, assistant_id, campaign_id);
create index calls_lead_id_index on calls (lead_id) where lead_id is not null;
create index calls_unfinished_index on calls (user_id, created_at, id)
  where status in ('initiated', 'ringing', 'in-progress', 'ended', 'ended_by_customer', 'ended_by_assistant');
create index calls_user_id_changed_at_index on calls (user_id, changed_at);
create index calls_unsettled_index on calls (ended_at) where status in ('ended', 'ended_by_customer', 'ended_by_assistant');
alter table calls add constraint calls_type_check check (type in ('inbound', 'outbound', 'web'));
alter table calls add constraint calls_status_check
  check (status in ('initiated', 'ringing', 'busy', 'in-progress', 'ended', 'completed', 'ended_by_customer', 'ended_by_assistant', 'no-answer', 'failed'));
alter table calls add constraint calls_answered_by_check check (answered_by in ('human', 'machine', 'unknown'));
alter table calls add constraint calls_ended_by_check check (ended_by in ('customer', 'assistant', 'system'));
create table calls_default partition of calls default;

create table call_events (
  call_id bigint not null, call_created_at timestamptz(6) not null, id bigint not null,
  at timestamptz(6) not null, type text not null, detail jsonb not null,
  primary key (call_id, call_created_at, id)
) partition by range (call_created_at);
create table call_events_default partition of call_events default;

create table live_calls (
  call_id bigint not null, call_created_at timestamptz(6) not null, user_id bigint not null,
  assistant_id bigint not null, campaign_id bigint null, lead_id bigint null, type text not null,
  client_phone_number text not null, trunk_id bigint null, sip_call_id text not null,
  voice_process_id uuid null, voice_epoch bigint null, intent_at timestamptz(6) null,
  invite_sent_at timestamptz(6) null, answered_at timestamptz(6) null, dialog jsonb null,
  hang_up_requested_at timestamptz(6) null, hang_up_reason text null, ticket_hash bytea null,
  ticket_expires_at timestamptz(6) null, created_at timestamptz(6) not null,
  bridged_call_id bigint null, primary key (call_id)
);
alter table live_calls add constraint live_calls_sip_call_id_unique unique (sip_call_id);
alter table live_calls add constraint live_calls_ticket_hash_unique unique (ticket_hash);
create index live_calls_campaign_id_index on live_calls (campaign_id) where campaign_id is not null;
-- The account's limit counts these.
create index live_calls_user_id_index on live_calls (user_id);
create index live_calls_bridged_call_id_index on live_calls (bridged_call_id) where bridged_call_id is not null;
create index live_calls_trunk_id_index on live_calls (trunk_id);
create index live_calls_voice_process_id_index on live_calls (voice_process_id);
create unique index live_calls_one_call_per_number on live_calls (user_id, client_phone_number) where starts_with(client_phone_number, '+');
alter table live_calls add constraint live_calls_type_check check (type in ('inbound', 'outbound', 'web'));
-- Rows of this table are short-lived, so vacuum it early: index scans must not wade through dead entries.
alter table live_calls set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

create table recordings (
  call_id bigint not null, call_created_at timestamptz(6) not null, user_id bigint not null,
  storage_key text not null, sample_rate int not null, duration_ms int not null, is_finished boolean not null,
  url_secret bytea not null, created_at timestamptz(6) not null, primary key (call_id)
);

create table voice_processes (
  id uuid not null, url text not null, sip_address text not null, epoch bigint not null,
  capacity int not null, active_calls int not null, is_draining boolean not null,
  lease_until timestamptz(6) not null, started_at timestamptz(6) not null,
  detector text not null default 'silero', recognised_languages jsonb not null default '{}'::jsonb, primary key (id)
);
alter table voice_processes add constraint voice_processes_url_unique unique (url);
alter table voice_processes add constraint voice_processes_detector_check check (detector in ('silero', 'energy'));

-- How many settled calls each user has on each day (docs/decisions/call-counts.md). A day is UTC's. Campaign 0 means none,
-- because a key cannot be null.
create table call_counts (
  user_id bigint not null, day date not null, status text not null, type text not null,
  assistant_id bigint not null, campaign_id bigint not null, count int not null,
  primary key (user_id, day, status, type, assistant_id, campaign_id)
);

-- Changes that the job `fold_call_counts` adds to call_counts, in rows of their own, so that transactions do not wait for
-- each other.
create table call_count_changes (
  id bigserial primary key, user_id bigint not null, day date not null, status text not null, type text not null,
  assistant_id bigint not null, campaign_id bigint not null, change int not null
);
-- Rows of this table are short-lived, so vacuum it early: index scans must not wade through dead entries.
alter table call_count_changes set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

-- Sums of call_counts by day, for the list without filters.
create table call_day_counts (
  user_id bigint not null, day date not null, count int not null, primary key (user_id, day)
);
