/** Written conversations with assistants, their messages, and the settings of assistants for them. */
import { Migration } from '@mikro-orm/migrations';

export class CreateWrittenConversations extends Migration {
  override up(): void {
    this.addSql(
      `create table written_conversations (
         id bigserial primary key, uuid uuid not null, user_id bigint not null, assistant_id bigint not null,
         type text not null, customer_identifier text null, customer_phone_number text null,
         variables jsonb not null, collected jsonb not null, is_ai_enabled boolean not null,
         reply_lease uuid null, reply_lease_until timestamptz(6) null,
         last_message_at timestamptz(6) null, inactive_at timestamptz(6) not null,
         ended_at timestamptz(6) null, ended_reason text null, end_reported_at timestamptz(6) null,
         created_at timestamptz(6) not null, updated_at timestamptz(6) not null,
         constraint written_conversations_type_check check (type in ('widget', 'test', 'api')),
         constraint written_conversations_ended_reason_check check
           (ended_reason in ('assistant_ended', 'inactivity'))
       )`,
    );
    this.addSql(
      `alter table written_conversations add constraint written_conversations_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
    this.addSql(
      `alter table written_conversations add constraint written_conversations_uuid_unique unique (uuid)`,
    );
    this.addSql(`create index written_conversations_user_id_id_index on written_conversations (user_id, id)`);
    this.addSql(
      `create unique index written_conversations_customer_unique on written_conversations
         (user_id, customer_identifier, assistant_id) where customer_identifier is not null`,
    );
    this.addSql(
      `create index written_conversations_phone_index on written_conversations (user_id, customer_phone_number)
         where customer_phone_number is not null`,
    );
    this.addSql(
      `create index written_conversations_assistant_index on written_conversations (user_id, assistant_id, id)`,
    );
    this.addSql(
      `create index written_conversations_inactive_index on written_conversations (inactive_at)
         where ended_at is null`,
    );
    this.addSql(
      `create index written_conversations_open_index on written_conversations (user_id) where ended_at is null`,
    );
    this.addSql(
      `create table written_messages (
         id bigserial primary key, conversation_id bigint not null, role text not null, content text not null,
         answered_id bigint null, request_digest text null, created_at timestamptz(6) not null,
         constraint written_messages_role_check check (role in ('user', 'assistant'))
       )`,
    );
    this.addSql(
      `alter table written_messages add constraint written_messages_conversation_id_foreign
         foreign key (conversation_id) references written_conversations (id) on delete cascade`,
    );
    this.addSql(
      `create index written_messages_conversation_id_id_index on written_messages (conversation_id, id)`,
    );
    this.addSql(
      `create unique index written_messages_answered_unique on written_messages (answered_id)
         where answered_id is not null`,
    );
    this.addSql(
      `create unique index written_messages_request_unique on written_messages (conversation_id, request_digest)
         where request_digest is not null`,
    );
    this.addSql(
      `alter table assistants add column conversation_ended_webhook_url text null,
         add column conversation_inactivity_minutes integer not null default 30,
         add column is_conversation_end_repeated boolean not null default false`,
    );
  }
}
