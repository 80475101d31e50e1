/**
 * Calls and what belongs to them: events, live calls, recordings, voice processes, the outbox of webhooks.
 * Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class CreateCalls extends Migration {
  override up(): void {
    for (const sql of TABLES) this.addSql(sql);
  }
}

const TABLES = [
  `
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
    changed_at timestamptz(6) not null, updated_at timestamptz(6) not null, primary key (id, created_at)
  ) partition by range (created_at);
  create index calls_user_id_created_at_id_index on calls (user_id, created_at, id);
  create index calls_user_id_changed_at_index on calls (user_id, changed_at);
  create index calls_unsettled_index on calls (ended_at) where status in ('ended', 'ended_by_customer', 'ended_by_assistant');
  alter table calls add constraint calls_type_check check (type in ('inbound', 'outbound', 'web'));
  alter table calls add constraint calls_status_check
    check (status in ('initiated', 'ringing', 'busy', 'in-progress', 'ended', 'completed', 'ended_by_customer', 'ended_by_assistant', 'no-answer', 'failed'));
  alter table calls add constraint calls_answered_by_check check (answered_by in ('human', 'machine', 'unknown'));
  alter table calls add constraint calls_ended_by_check check (ended_by in ('customer', 'assistant', 'system'));
  create table calls_default partition of calls default;
  `,
  `
  create table call_events (
    call_id bigint not null, call_created_at timestamptz(6) not null, id bigint not null,
    at timestamptz(6) not null, type text not null, detail jsonb not null,
    primary key (call_id, call_created_at, id)
  ) partition by range (call_created_at);
  create table call_events_default partition of call_events default;
  `,
  `
  create table live_calls (
    call_id bigint not null, call_created_at timestamptz(6) not null, user_id bigint not null,
    assistant_id bigint not null, campaign_id bigint null, lead_id bigint null, type text not null,
    client_phone_number text not null, trunk_id bigint null, sip_call_id text not null,
    voice_process_id uuid null, voice_epoch bigint null, intent_at timestamptz(6) null,
    invite_sent_at timestamptz(6) null, answered_at timestamptz(6) null, dialog jsonb null,
    hang_up_requested_at timestamptz(6) null, hang_up_reason text null, ticket_hash bytea null,
    ticket_expires_at timestamptz(6) null, created_at timestamptz(6) not null, primary key (call_id)
  );
  alter table live_calls add constraint live_calls_sip_call_id_unique unique (sip_call_id);
  alter table live_calls add constraint live_calls_ticket_hash_unique unique (ticket_hash);
  create index live_calls_campaign_id_index on live_calls (campaign_id) where campaign_id is not null;
  create index live_calls_trunk_id_index on live_calls (trunk_id);
  create index live_calls_voice_process_id_index on live_calls (voice_process_id);
  create unique index live_calls_one_call_per_number on live_calls (user_id, client_phone_number) where starts_with(client_phone_number, '+');
  alter table live_calls add constraint live_calls_type_check check (type in ('inbound', 'outbound', 'web'));
  `,
  `
  create table recordings (
    call_id bigint not null, call_created_at timestamptz(6) not null, user_id bigint not null,
    storage_key text not null, sample_rate int not null, duration_ms int not null, is_finished boolean not null,
    url_secret bytea not null, created_at timestamptz(6) not null, primary key (call_id)
  );
  `,
  `
  create table voice_processes (
    id uuid not null, url text not null, sip_address text not null, epoch bigint not null,
    capacity int not null, active_calls int not null, is_draining boolean not null,
    lease_until timestamptz(6) not null, started_at timestamptz(6) not null, primary key (id)
  );
  alter table voice_processes add constraint voice_processes_url_unique unique (url);
  `,
  `
  create table deliveries (
    id uuid not null, call_id bigint not null, call_created_at timestamptz(6) not null, user_id bigint not null,
    assistant_id bigint not null, event text not null, target text not null, url text not null,
    payload jsonb not null, status text not null, attempt_count int not null default 0,
    next_attempt_at timestamptz(6) null, created_at timestamptz(6) not null, primary key (id)
  );
  create index deliveries_user_id_created_at_index on deliveries (user_id, created_at);
  alter table deliveries add constraint deliveries_call_event_target_unique unique (call_id, event, target);
  alter table deliveries add constraint deliveries_target_check check (target in ('post-call', 'inbound'));
  alter table deliveries add constraint deliveries_status_check
    check (status in ('pending', 'delivered', 'failed', 'disabled'));
  `,
  `
  create table delivery_attempts (
    delivery_id uuid not null, number int not null, at timestamptz(6) not null, status int null,
    response_headers jsonb not null, response_body text not null, error text null, duration_ms int not null,
    primary key (delivery_id, number)
  );
  alter table delivery_attempts add constraint delivery_attempts_delivery_id_foreign
    foreign key (delivery_id) references deliveries (id) on delete cascade;
  `,
];
