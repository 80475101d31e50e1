-- The outbox of webhooks and the attempts to deliver them.
-- Matches the entities; schema.test.ts compares the two.

create table deliveries (
  id uuid not null, call_id bigint not null, call_created_at timestamptz(6) not null, user_id bigint not null,
  assistant_id bigint not null, event text not null, target text not null, url text not null,
  payload jsonb not null, status text not null, attempt_count int not null default 0,
  next_attempt_at timestamptz(6) null, created_at timestamptz(6) not null,
  origin text not null, stage text null, claimed_by text null, claimed_at timestamptz(6) null, schedule_start int not null default 0, reason text null, settled_at timestamptz(6) null, primary key (id)
);
create index deliveries_user_id_created_at_index on deliveries (user_id, created_at);
alter table deliveries add constraint deliveries_call_event_target_unique unique (call_id, event, target);
alter table deliveries add constraint deliveries_target_check check (target in ('post-call', 'inbound'));
alter table deliveries add constraint deliveries_status_check
  check (status in ('pending', 'delivered', 'failed', 'disabled'));
alter table deliveries add constraint deliveries_stage_check check (stage in ('waiting', 'due', 'sending'));
alter table deliveries add constraint deliveries_stage_of_pending_check
  check ((status = 'pending') = (stage is not null));
-- A webhook that is switched off finds what still waits for it.
create index deliveries_pending_index on deliveries (assistant_id) where status = 'pending';
create index deliveries_waiting_index on deliveries (next_attempt_at) where stage = 'waiting';
create index deliveries_due_index on deliveries (origin, next_attempt_at) where stage = 'due';
create index deliveries_sending_index on deliveries (origin, claimed_at) where stage = 'sending';
create index deliveries_by_status_index on deliveries (user_id, status, created_at);
create index deliveries_settled_at_index on deliveries (settled_at) where settled_at is not null;

create table delivery_attempts (
  delivery_id uuid not null, number int not null, at timestamptz(6) not null, status int null,
  response_headers jsonb not null, response_body text not null, error text null, duration_ms int not null,
  primary key (delivery_id, number)
);
alter table delivery_attempts add constraint delivery_attempts_delivery_id_foreign
  foreign key (delivery_id) references deliveries (id) on delete cascade;
