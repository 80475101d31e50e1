/** Suites of simulated callers with their runs and conversations; tokens whose actions are confirmed, and the codes for it. */
import { Migration } from '@mikro-orm/migrations';

export class CreateSuites extends Migration {
  override up(): void {
    this.addSql(
      `create table suites (
         id bigserial primary key, user_id bigint not null, name text not null, definition text not null,
         callers_count int not null, conversations_count int not null,
         created_at timestamptz(6) not null, updated_at timestamptz(6) not null
       )`,
    );
    this.addSql(
      `alter table suites add constraint suites_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
    this.addSql('create index suites_user_id_id_index on suites (user_id, id)');
    this.addSql(
      `create table suite_runs (
         id bigserial primary key, user_id bigint not null, suite_id bigint null, replayed_call_id bigint null,
         name text not null, definition text not null, callers jsonb not null, assistants jsonb not null,
         status text not null, error text null, parallel int not null, max_cost numeric(12,6) null,
         run_until timestamptz(6) not null, created_at timestamptz(6) not null, finished_at timestamptz(6) null,
         constraint suite_runs_status_check check (status in ('running', 'passed', 'failed', 'cancelled'))
       )`,
    );
    this.addSql(
      `alter table suite_runs add constraint suite_runs_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
    this.addSql('create index suite_runs_user_id_id_index on suite_runs (user_id, id)');
    this.addSql(`create index suite_runs_running_index on suite_runs (id) where status = 'running'`);
    this.addSql(
      'create index suite_runs_replayed_call_id_index on suite_runs (replayed_call_id) where replayed_call_id is not null',
    );
    this.addSql(
      `create table suite_conversations (
         id bigserial primary key, run_id bigint not null, position int not null, number int not null,
         mode text not null, state text not null, attempt int not null, lease_until timestamptz(6) null,
         call_id bigint null, failures jsonb not null, turns int null, latency_p95 int null, duration_ms int null,
         cost numeric(12,6) null, result jsonb null,
         constraint suite_conversations_mode_check check (mode in ('text', 'voice')),
         constraint suite_conversations_state_check check (state in ('waiting', 'running', 'done', 'skipped'))
       )`,
    );
    this.addSql(
      `alter table suite_conversations
         add constraint suite_conversations_run_id_foreign
           foreign key (run_id) references suite_runs (id) on delete cascade,
         add constraint suite_conversations_run_id_position_number_unique unique (run_id, position, number)`,
    );
    this.addSql('alter table api_tokens add column requires_confirmation boolean not null default false');
    this.addSql(
      `create table action_confirmations (
         code_hash bytea primary key, token_id bigint not null, tool text not null, content_hash bytea not null,
         expires_at timestamptz(6) not null
       )`,
    );
    this.addSql(
      `alter table action_confirmations add constraint action_confirmations_token_id_foreign
         foreign key (token_id) references api_tokens (id) on delete cascade`,
    );
    this.addSql('create index action_confirmations_token_id_index on action_confirmations (token_id)');
  }
}
