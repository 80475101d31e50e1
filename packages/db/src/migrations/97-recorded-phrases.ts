/** Recordings of fixed sentences of assistants. */
import { Migration } from '@mikro-orm/migrations';

export class CreateRecordedPhrases extends Migration {
  override up(): void {
    this.addSql(
      `create table recorded_phrases (
         id bigserial primary key, user_id bigint not null, assistant_id bigint not null, text text not null,
         status text not null, failure text null, duration_ms int not null,
         created_at timestamptz(6) not null, updated_at timestamptz(6) not null
       )`,
    );
    this.addSql(
      'create table recorded_phrase_sounds (recorded_phrase_id bigint primary key, content bytea not null)',
    );
    this.addSql(
      `alter table recorded_phrases add constraint recorded_phrases_status_check
         check (status in ('processing', 'active', 'failed'))`,
    );
    this.#reference('recorded_phrases', 'user_id', 'users');
    this.#reference('recorded_phrases', 'assistant_id', 'assistants');
    this.#reference('recorded_phrase_sounds', 'recorded_phrase_id', 'recorded_phrases', 'on update cascade ');
    this.addSql('create index recorded_phrases_assistant_id_id_index on recorded_phrases (assistant_id, id)');
    this.addSql('create index recorded_phrases_user_id_index on recorded_phrases (user_id)');
  }

  #reference(table: string, column: string, target: string, rule = ''): void {
    this.addSql(
      `alter table ${table} add constraint ${table}_${column}_foreign
         foreign key (${column}) references ${target} (id) ${rule}on delete cascade`,
    );
  }
}
