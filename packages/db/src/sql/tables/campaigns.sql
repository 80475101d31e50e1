-- Assistants, campaigns, leads, the dial queue, imports and the do-not-call list.
-- Matches the entities; schema.test.ts compares the two.

create table assistants (
  id bigserial primary key, user_id bigint not null, uuid uuid not null, name text not null,
  type text not null, status text not null, mode text not null, phone_number_id bigint null,
  engine_id bigint null, synthesizer_id bigint null, transcriber_id bigint null, instance_id bigint null,
  transcriber_provider_id bigint null, synthesizer_provider_id bigint null, voice_id bigint not null,
  language_id bigint not null, llm_model_id bigint not null, multimodal_model_id bigint null,
  timezone text not null, initial_message text not null, system_prompt text not null,
  variables jsonb not null, tools jsonb not null, is_post_call_evaluated boolean not null,
  post_call_schema jsonb not null, are_fillers_on boolean not null, filler_config jsonb not null,
  is_webhook_active boolean not null, webhook_url text null, inbound_webhook_url text null,
  is_webhook_only_on_completed boolean not null, is_recording_in_webhook boolean not null,
  max_duration_seconds int not null, max_silence_seconds int not null, reengagement_seconds int not null,
  is_recorded boolean not null, is_ended_on_voicemail boolean not null, llm_temperature numeric not null,
  voice_stability numeric not null, voice_similarity numeric not null, speech_speed numeric not null,
  ambient_sound text not null, ambient_sound_volume numeric not null, is_interruptible boolean not null,
  is_noise_cancelled boolean not null, endpoint_type text not null, endpoint_sensitivity numeric not null,
  interrupt_sensitivity numeric not null, min_interrupt_words int not null,
  is_customer_first boolean not null, flows_platform_id bigint null, knowledgebase_id bigint null,
  knowledgebase_mode text not null, widget_settings jsonb not null, created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null, deleted_at timestamptz(6) null,
  erased_at timestamptz(6) null
);
alter table assistants add constraint assistants_uuid_unique unique (uuid);
create index assistants_user_id_id_index on assistants (user_id, id);
create unique index assistants_inbound_number_unique on assistants (phone_number_id) where type = 'inbound' and deleted_at is null;
alter table assistants add constraint assistants_type_check check (type in ('inbound', 'outbound'));
alter table assistants add constraint assistants_status_check check (status in ('active', 'inactive'));
alter table assistants add constraint assistants_mode_check check (mode in ('pipeline', 'multimodal'));
alter table assistants add constraint assistants_endpoint_type_check check (endpoint_type in ('vad', 'ai'));
alter table assistants add constraint assistants_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;
alter table assistants add constraint assistants_phone_number_id_foreign
  foreign key (phone_number_id) references phone_numbers (id) on delete set null;
alter table assistants add constraint assistants_voice_id_foreign foreign key (voice_id) references voices (id);
alter table assistants add constraint assistants_language_id_foreign
  foreign key (language_id) references languages (id);
alter table assistants add constraint assistants_llm_model_id_foreign
  foreign key (llm_model_id) references llm_models (id);
create index assistants_to_erase_index on assistants (deleted_at) where deleted_at is not null and erased_at is null;

create table campaigns (
  id bigserial primary key, user_id bigint not null, assistant_id bigint not null, name text not null,
  status text not null, timezone text not null, max_calls_in_parallel int not null,
  is_completed_without_leads boolean not null, allowed_from text not null, allowed_until text not null,
  allowed_days text[] not null, max_retries int not null, retry_interval_seconds int not null,
  is_voicemail_retried boolean not null, is_unmet_goal_retried boolean not null, goal_variable text null,
  phone_number_ids jsonb not null, created_at timestamptz(6) not null, updated_at timestamptz(6) not null,
  deleted_at timestamptz(6) null,
  caller_turn int not null default 0, is_lead_timezone_respected boolean not null default false, held_by text null, held_since timestamptz(6) null
);
create index campaigns_user_id_id_index on campaigns (user_id, id);
alter table campaigns add constraint campaigns_status_check
  check (status in ('draft', 'in-progress', 'stopped', 'completed'));
alter table campaigns add constraint campaigns_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;
alter table campaigns add constraint campaigns_assistant_id_foreign
  foreign key (assistant_id) references assistants (id);
create index campaigns_held_by_held_since_index on campaigns (held_by, held_since) where held_by is not null;

create table campaign_wakes (id bigserial primary key, campaign_id bigint not null, at timestamptz(6) not null);
create index campaign_wakes_campaign_id_index on campaign_wakes (campaign_id);
-- Rows of this table are short-lived, so vacuum it early: index scans must not wade through dead entries.
alter table campaign_wakes set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

create table leads (
  id bigserial primary key, user_id bigint not null, campaign_id bigint not null, parent_id bigint null,
  phone_number text not null, variables jsonb not null, status text not null, dial_state text not null,
  attempts int not null default 0, created_at timestamptz(6) not null, updated_at timestamptz(6) not null,
  dial_reason text null, import_id bigint null
);
-- Lists show main leads only, newest first: all of a user's, or one campaign's.
create index leads_user_id_id_index on leads (user_id, id) where parent_id is null;
create index leads_campaign_id_id_index on leads (campaign_id, id) where parent_id is null;
create index leads_campaign_id_phone_number_index on leads (campaign_id, phone_number);
create index leads_parent_id_index on leads (parent_id) where parent_id is not null;
alter table leads add constraint leads_status_check
  check (status in ('created', 'completed', 'reached-max-retries'));
alter table leads add constraint leads_dial_state_check
  check (dial_state in ('waiting', 'dialing', 'waiting-to-retry', 'blocked', 'done'));
alter table leads add constraint leads_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;
alter table leads add constraint leads_campaign_id_foreign
  foreign key (campaign_id) references campaigns (id) on delete cascade;
alter table leads add constraint leads_parent_id_foreign
  foreign key (parent_id) references leads (id) on delete cascade;
create index leads_dialing_index on leads (campaign_id) where dial_state = 'dialing';
create index leads_import_id_id_index on leads (import_id, id) where import_id is not null;

create table dial_queue (
  campaign_id bigint not null, ready_at timestamptz(6) not null, lead_id bigint not null,
  attempt int not null, primary key (campaign_id, ready_at, lead_id)
);
alter table dial_queue add constraint dial_queue_campaign_id_foreign
  foreign key (campaign_id) references campaigns (id) on delete cascade;
alter table dial_queue add constraint dial_queue_lead_id_foreign
  foreign key (lead_id) references leads (id) on delete cascade;
-- A lead waits in the queue at most once.
alter table dial_queue add constraint dial_queue_lead_id_unique unique (lead_id);
-- Rows of this table are short-lived, so vacuum it early: index scans must not wade through dead entries.
alter table dial_queue set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

create table lead_imports (
  id bigserial primary key,
  user_id bigint not null, campaign_id bigint not null, key text null, begun_as text not null,
  state text check (state in ('running', 'interrupted', 'finished', 'undoing', 'undone')) not null,
  run int not null, file_name text null, position int not null default 0, content_hash text not null,
  rows_read int not null default 0, rows_imported int not null default 0, refusals jsonb not null default '{}',
  errors_stored int not null default 0, bytes_read bigint not null, bytes_total bigint null,
  leads_removed int not null default 0, created_at timestamptz(6) not null, updated_at timestamptz(6) not null,
  finished_at timestamptz(6) null
);
create index lead_imports_campaign_id_id_index on lead_imports (campaign_id, id);
create unique index lead_imports_campaign_id_key_unique on lead_imports (campaign_id, key) where key is not null;
alter table lead_imports add constraint lead_imports_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;
alter table lead_imports add constraint lead_imports_campaign_id_foreign
  foreign key (campaign_id) references campaigns (id) on delete cascade;

create table lead_import_errors (
  import_id bigint not null, row_number int not null, column_name text null, code text not null, value text not null,
  primary key (import_id, row_number)
);
alter table lead_import_errors add constraint lead_import_errors_import_id_foreign
  foreign key (import_id) references lead_imports (id) on delete cascade;

create table do_not_call (
  user_id bigint not null, phone_number text not null, reason text not null, created_at timestamptz(6) not null,
  primary key (user_id, phone_number)
);
alter table do_not_call add constraint do_not_call_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;
