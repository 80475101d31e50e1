-- Providers, models, voices and languages; SIP trunks, phone numbers and prices.
-- Matches the entities; schema.test.ts compares the two.

create table providers (
  id bigserial primary key, user_id bigint null, name text not null, kind text not null, base_url text null,
  api_key_sealed text null, created_at timestamptz(6) not null,
  note text null, refreshed_at timestamptz(6) null
);
alter table providers add constraint providers_kind_check check (kind in
  ('built-in', 'openai-compatible', 'openai', 'anthropic', 'google', 'deepgram', 'assemblyai', 'elevenlabs', 'cartesia'));
alter table providers add constraint providers_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;

create table languages (
  id bigserial primary key, name text not null, iso_2 text not null
);
alter table languages add constraint languages_name_unique unique (name);

create table llm_models (
  id bigserial primary key, name text not null, provider_id bigint not null, wire_name text not null,
  is_fetched boolean not null default false
);
alter table llm_models add constraint llm_models_name_unique unique (name);
alter table llm_models add constraint llm_models_provider_id_foreign
  foreign key (provider_id) references providers (id) on delete cascade;

create table voices (
  id bigserial primary key, name text not null, mode text not null, provider_id bigint not null,
  user_id bigint null, wire_name text not null, language_id bigint null,
  is_fetched boolean not null default false
);
alter table voices add constraint voices_name_unique unique (name);
alter table voices add constraint voices_mode_check check (mode in ('pipeline', 'multimodal'));
alter table voices add constraint voices_provider_id_foreign
  foreign key (provider_id) references providers (id) on delete cascade;
alter table voices add constraint voices_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;
alter table voices add constraint voices_language_id_foreign
  foreign key (language_id) references languages (id) on delete set null;

create table trunks (
  id bigserial primary key, user_id bigint null, name text not null, host text not null, port int not null,
  transport text not null, username text null, password_sealed text null, reach text not null,
  caller_number text null, max_calls int null, is_test boolean not null default false,
  created_at timestamptz(6) not null,
  max_cps int null, next_invite_at timestamptz(6) null, paused_until timestamptz(6) null, pause_seconds int not null default 0
);
alter table trunks add constraint trunks_transport_check check (transport in ('udp', 'tcp'));
alter table trunks add constraint trunks_reach_check check (reach in ('fictional', 'any'));
alter table trunks add constraint trunks_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;

create table trunk_outcomes (
  trunk_id bigint not null, call_id bigint not null, at timestamptz(6) not null, is_fault boolean not null,
  primary key (trunk_id, call_id)
);
create index trunk_outcomes_trunk_id_at_index on trunk_outcomes (trunk_id, at);

create table phone_numbers (
  id bigserial primary key, user_id bigint not null, trunk_id bigint not null, phone_number text not null,
  country_code text not null, type_label text not null, created_at timestamptz(6) not null
);
create index phone_numbers_user_id_index on phone_numbers (user_id);
alter table phone_numbers add constraint phone_numbers_phone_number_unique unique (phone_number);
alter table phone_numbers add constraint phone_numbers_type_label_check
  check (type_label in ('Normal', 'SIP', 'Caller ID'));
alter table phone_numbers add constraint phone_numbers_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;
alter table phone_numbers add constraint phone_numbers_trunk_id_foreign
  foreign key (trunk_id) references trunks (id) on delete cascade;

create table prices (
  id bigserial primary key, trunk_id bigint null, provider_id bigint null, llm_model_id bigint null,
  voice_id bigint null, unit text not null, price numeric(12,6) not null
);
alter table prices add constraint prices_target_check
  check (num_nonnulls(trunk_id, provider_id, llm_model_id, voice_id) = 1);
alter table prices add constraint prices_unit_check check (unit in
  ('minute', 'second', 'character', 'input_token', 'cached_input_token', 'audio_input_token', 'output_token',
   'audio_output_token'));
alter table prices add constraint prices_trunk_id_unit_unique unique (trunk_id, unit);
alter table prices add constraint prices_provider_id_unit_unique unique (provider_id, unit);
alter table prices add constraint prices_llm_model_id_unit_unique unique (llm_model_id, unit);
alter table prices add constraint prices_voice_id_unit_unique unique (voice_id, unit);
alter table prices add constraint prices_trunk_id_foreign
  foreign key (trunk_id) references trunks (id) on delete cascade;
alter table prices add constraint prices_provider_id_foreign
  foreign key (provider_id) references providers (id) on delete cascade;
alter table prices add constraint prices_llm_model_id_foreign
  foreign key (llm_model_id) references llm_models (id) on delete cascade;
alter table prices add constraint prices_voice_id_foreign
  foreign key (voice_id) references voices (id) on delete cascade;
