-- Users, API tokens, sessions, sign-in links, idempotency keys.
-- Matches the entities; schema.test.ts compares the two.

create table users (
  id bigserial primary key, uuid uuid not null, name text not null, email text not null, role text not null,
  password_hash text null, timezone text not null default 'UTC', default_country text null,
  webhook_secret_sealed text not null, created_at timestamptz(6) not null,
  max_calls int not null default 10000, webhook_secret_old_sealed text null, webhook_secret_old_until timestamptz(6) null
);
alter table users add constraint users_uuid_unique unique (uuid);
alter table users add constraint users_email_unique unique (email);
alter table users add constraint users_email_lower_check check (email = lower(email));
alter table users add constraint users_role_check check (role in ('operator', 'member'));

create table api_tokens (
  id bigserial primary key, user_id bigint not null, name text not null, token_hash bytea not null,
  prefix text not null, scopes text[] null, expires_at timestamptz(6) null, revoked_at timestamptz(6) null,
  last_used_at timestamptz(6) null, created_at timestamptz(6) not null
);
create index api_tokens_user_id_index on api_tokens (user_id);
alter table api_tokens add constraint api_tokens_token_hash_unique unique (token_hash);
alter table api_tokens add constraint api_tokens_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;

create table sessions (
  id_hash bytea not null, user_id bigint not null, created_at timestamptz(6) not null,
  expires_at timestamptz(6) not null, last_seen_at timestamptz(6) not null, replaced_at timestamptz(6) null,
  primary key (id_hash)
);
create index sessions_user_id_index on sessions (user_id);
alter table sessions add constraint sessions_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;

create table sign_in_links (
  secret_hash bytea not null, user_id bigint not null, expires_at timestamptz(6) not null,
  used_at timestamptz(6) null, primary key (secret_hash)
);
create index sign_in_links_user_id_index on sign_in_links (user_id);
alter table sign_in_links add constraint sign_in_links_user_id_foreign
  foreign key (user_id) references users (id) on delete cascade;

create table sign_in_attempts (
  bucket bytea not null, window_started_at timestamptz(6) not null, failures int not null,
  primary key (bucket)
);

create table idempotency_keys (
  token_id bigint not null, key text not null, body_hash bytea not null, status int null, body jsonb null,
  created_at timestamptz(6) not null, primary key (token_id, key)
);
create index idempotency_keys_created_at_index on idempotency_keys (created_at);
alter table idempotency_keys add constraint idempotency_keys_token_id_foreign
  foreign key (token_id) references api_tokens (id) on delete cascade;
